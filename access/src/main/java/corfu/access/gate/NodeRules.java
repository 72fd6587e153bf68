package corfu.access.gate;

import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeRequest;
import java.util.List;
import java.util.Optional;

/** The rules of requests to a server about itself. */
final class NodeRules {

  private NodeRules() {}

  /** Returns the reason to refuse a request, or empty. */
  static Optional<Failure> objection(
      NodeRequest request, IdentitySession who, GateOptions options) {
    return switch (request) {
      case NodeRequest.Hello hello -> Refusals.NONE;
      // the reply is filtered: clients look whether a server lives
      case NodeRequest.AskStatus ask -> Refusals.withoutAny(who);
      case NodeRequest.AskNames ask -> Refusals.withoutAny(who);
      case NodeRequest.Introduce introduce -> Refusals.withoutAny(who);
      case NodeRequest.Settle settle -> toSettle(settle.addresses().count(), who, options);
      case NodeRequest.SettleStreams settle -> toSettle(settle.streams(), who, options);
      case NodeRequest.AskAccess ask -> Refusals.without(Permission.OBSERVE, who);
      case NodeRequest.AskTokenKey ask -> toKey(who);
      case NodeRequest.AskQuotas ask -> Refusals.without(Permission.OBSERVE, who);
    };
  }

  /** A client with the key could seal any token for itself. */
  private static Optional<Failure> toKey(IdentitySession who) {
    return who.isServer()
        ? Refusals.NONE
        : Optional.of(
            new Failure.Forbidden(
                Permission.ADMINISTER,
                Optional.empty(),
                "only servers get the key that seals tokens, but %s is none by this server's"
                        .formatted(who.identity())
                    + " configuration"));
  }

  private static Optional<Failure> toSettle(int count, IdentitySession who, GateOptions options) {
    int most = options.limits().maxAddressesPerRequest();
    return count > most
        ? Optional.of(Refusals.tooLarge("addresses", count, most))
        : Refusals.withoutAny(who);
  }

  private static Optional<Failure> toSettle(
      List<StreamId> streams, IdentitySession who, GateOptions options) {
    int most = options.limits().maxNamesPerRequest();
    if (streams.size() > most) {
      return Optional.of(Refusals.tooLarge("streams", streams.size(), most));
    }
    for (StreamId stream : streams) {
      if (!who.uses(stream)) {
        return Optional.of(Refusals.forbidden(Permission.READ, stream, who));
      }
    }
    return Refusals.NONE;
  }
}
