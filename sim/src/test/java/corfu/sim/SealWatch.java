package corfu.sim;

import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.stream.TokenOutcome;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.transport.RequestHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Looks at all tokens and writes, at the network's side of the servers. A log unit must not accept
 * an entry of a tenant at an address whose token another client got. It must not forbid a write to
 * the client that got all its tokens.
 */
final class SealWatch implements SimServer.FrontDoor {

  private final List<String> tenants;
  private final SimServer.FrontDoor bug;
  private final Map<Token, Identity> holders = new HashMap<>();
  private final List<String> findings = new ArrayList<>();
  private long written;
  private long refused;
  private long appended;

  private record Token(Epoch epoch, long address) {}

  /**
   * @param tenants the beginnings of the names of the tenants' processes
   * @param bug a bug in the servers, behind this watch
   */
  SealWatch(List<String> tenants, SimServer.FrontDoor bug) {
    this.tenants = tenants;
    this.bug = bug;
  }

  List<String> findings() {
    return findings;
  }

  void found(String what) {
    findings.add(what);
  }

  void appended(int count) {
    appended += count;
  }

  /** Returns the number of acknowledged appends. */
  long appended() {
    return appended;
  }

  /** Returns the number of entries of tenants that were written. */
  long written() {
    return written;
  }

  /** Returns the number of refused writes of tenants. */
  long refused() {
    return refused;
  }

  private boolean isTenant(Identity identity) {
    return tenants.stream()
        .anyMatch(tenant -> identity.name().startsWith(SimListener.IDENTITIES + tenant));
  }

  @Override
  public RequestHandler around(SimServer server, RequestHandler handler, RequestHandler roles) {
    RequestHandler observed = bug.around(server, handler, roles);
    return new RequestHandler() {
      @Override
      public void handle(Request request, Consumer<Reply> reply) {
        observed.handle(request, reply);
      }

      @Override
      public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
        observed.handle(
            request,
            origin,
            answer -> {
              look(server.name(), request, answer, origin.identity());
              reply.accept(answer);
            });
      }

      @Override
      public void turnEnded() {
        observed.turnEnded();
      }
    };
  }

  private void look(String server, Request request, Reply answer, Identity who) {
    switch (answer) {
      case SequencerReply.Tokens tokens -> {
        for (int i = 0; i < tokens.count(); i++) {
          holders.put(new Token(request.epoch(), tokens.first() + i), who);
        }
      }
      case SequencerReply.StreamTokens tokens ->
          tokens
              .outcomes()
              .forEach(
                  outcome -> {
                    if (outcome instanceof TokenOutcome.Issued issued) {
                      holders.put(new Token(request.epoch(), issued.address()), who);
                    }
                  });
      case LogUnitReply.Writes(List<WriteOutcome> outcomes) when isTenant(who) ->
          lookAtWritten(server, request, outcomes, who);
      case Failure.Forbidden forbidden when isTenant(who) -> lookAtRefused(server, request, who);
      default -> {}
    }
  }

  private boolean holds(Identity who, Epoch epoch, Entry entry) {
    return who.equals(holders.get(new Token(epoch, entry.address())));
  }

  private void lookAtWritten(
      String server, Request request, List<WriteOutcome> outcomes, Identity who) {
    if (request instanceof LogUnitRequest.Write write) {
      for (int i = 0; i < outcomes.size(); i++) {
        if (outcomes.get(i) instanceof WriteOutcome.Written) {
          written++;
          Entry entry = write.entries().get(i);
          if (!holds(who, write.epoch(), entry)) {
            found(
                "%s accepts %s of %s without its token, in epoch %s with %s"
                    .formatted(server, entry, who, write.epoch(), write.seals()));
          }
        }
      }
    }
  }

  private void lookAtRefused(String server, Request request, Identity who) {
    if (request instanceof LogUnitRequest.Write write) {
      refused++;
      boolean isAppend = !write.seals().isEmpty(); // not the settlement of an address
      if (isAppend
          && write.entries().stream().allMatch(entry -> holds(who, write.epoch(), entry))) {
        found("%s forbids a write to %s, which has the tokens".formatted(server, who));
      }
    }
  }
}
