package corfu.access.gate;

import corfu.protocol.Permission;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutRequest;
import java.util.Optional;

/** The rules of requests to a layout server. */
final class LayoutRules {

  private LayoutRules() {}

  /** Returns the reason to refuse a request, or empty. */
  static Optional<Failure> objection(LayoutRequest request, IdentitySession who) {
    return switch (request) {
      case LayoutRequest.Fetch fetch -> Refusals.withoutAny(who);
      case LayoutRequest.Report report -> Refusals.withoutAny(who);
      case LayoutRequest.Prepare prepare -> Refusals.without(Permission.OPERATE, who);
      case LayoutRequest.Accept accept -> Refusals.without(Permission.OPERATE, who);
      case LayoutRequest.Learn learn -> Refusals.without(Permission.OPERATE, who);
      case LayoutRequest.Renew renew -> withoutServer(who);
      case LayoutRequest.Remember remember -> withoutServer(who);
      case LayoutRequest.Observe observe -> Refusals.without(Permission.OBSERVE, who);
      case LayoutRequest.AskReports ask -> Refusals.without(Permission.OBSERVE, who);
    };
  }

  /** Only a server speaks for itself. Somebody else could keep a dead one alive. */
  private static Optional<Failure> withoutServer(IdentitySession who) {
    return who.isServer()
        ? Refusals.NONE
        : Optional.of(
            new Failure.Forbidden(
                Permission.ADMINISTER,
                Optional.empty(),
                "only servers ask for leases and store their progress, but %s is none by this"
                        .formatted(who.identity())
                    + " server's configuration"));
  }
}
