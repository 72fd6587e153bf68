package corfu.sim;

import corfu.protocol.Entry;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.transport.RequestHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Looks at all replies to tenants, at the network's side of the servers. A reply must not show an
 * entry, or accept one, that the policy forbids. A server that has started after a revocation has
 * to know it. The others may lag behind it for a while.
 */
final class AccessWatch implements SimServer.FrontDoor {

  private final List<String> tenants;
  private final SimServer.FrontDoor bug;
  private final long lagNanos;

  /** The times of revocations; {@link Long#MAX_VALUE} for rights that may be in force. */
  private final Map<Right, Long> revoked = new HashMap<>();

  /** The streams of entries, by their addresses: parts of entries do not name them. */
  private final Map<Long, StreamId> streamsOf = new HashMap<>();

  private final List<String> leaks = new ArrayList<>();
  private LongSupplier clock = () -> 0;
  private long shown;

  /** A tenant's right. */
  record Right(String tenant, Permission permission, StreamId stream) {}

  /**
   * @param tenants the beginnings of the names of the tenants' processes
   * @param lag the time after which a revocation has to be in force
   * @param bug a bug in the servers, behind this watch
   */
  AccessWatch(List<String> tenants, Duration lag, SimServer.FrontDoor bug) {
    this.tenants = tenants;
    this.lagNanos = lag.toNanos();
    this.bug = bug;
  }

  void use(LongSupplier nanoTime) {
    clock = nanoTime;
  }

  /** An entry is at this address, in one stream. */
  void isAt(long address, StreamId stream) {
    streamsOf.put(address, stream);
  }

  /** A right may be in force from now on. */
  void isBeingGiven(Right right) {
    revoked.put(right, Long.MAX_VALUE);
  }

  /** A revocation has returned to the administrator. */
  void isRevoked(Right right) {
    revoked.put(right, clock.getAsLong());
  }

  List<String> leaks() {
    return leaks;
  }

  /** Returns the number of entries that tenants have seen. */
  long shown() {
    return shown;
  }

  @Override
  public RequestHandler around(SimServer server, RequestHandler handler, RequestHandler roles) {
    RequestHandler observed = bug.around(server, handler, roles);
    long born = clock.getAsLong();
    return new RequestHandler() {
      @Override
      public void handle(Request request, Consumer<Reply> reply) {
        observed.handle(request, reply);
      }

      @Override
      public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
        Optional<String> tenant = tenantOf(origin.identity());
        observed.handle(
            request,
            origin,
            answer -> {
              tenant.ifPresent(who -> check(server, born, who, request, answer));
              reply.accept(answer);
            });
      }

      @Override
      public void turnEnded() {
        observed.turnEnded();
      }
    };
  }

  private Optional<String> tenantOf(Identity identity) {
    return tenants.stream()
        .filter(tenant -> identity.name().startsWith(SimListener.IDENTITIES + tenant))
        .findFirst();
  }

  private void check(SimServer server, long born, String who, Request request, Reply answer) {
    entries(answer)
        .filter(entry -> !entry.isHole())
        .forEach(
            entry -> {
              shown++;
              if (entry.streams().stream()
                  .noneMatch(header -> may(who, Permission.READ, header.stream(), born))) {
                leaks.add(
                    "%s shows %s the entry at %d by %s"
                        .formatted(
                            server.name(),
                            who,
                            entry.address(),
                            request.getClass().getSimpleName()));
              }
            });
    blocks(answer)
        .forEach(
            address -> {
              shown++;
              StreamId stream = streamsOf.getOrDefault(address, StreamId.NONE);
              if (!may(who, Permission.READ, stream, born)) {
                leaks.add(
                    "%s shows %s blocks of the entry at %d".formatted(server.name(), who, address));
              }
            });
    if (request instanceof LogUnitRequest.Write(var epoch, List<Entry> entries, var seals)
        && answer instanceof LogUnitReply.Writes(List<WriteOutcome> outcomes)) {
      for (int i = 0; i < outcomes.size(); i++) {
        if (outcomes.get(i) instanceof WriteOutcome.Written) {
          checkWritten(server, born, who, entries.get(i));
        }
      }
    }
  }

  private void checkWritten(SimServer server, long born, String who, Entry entry) {
    if (entry.streamCount() == 0
        || entry.streams().stream()
            .anyMatch(header -> !may(who, Permission.APPEND, header.stream(), born))) {
      leaks.add("%s accepts an entry of %s at %d".formatted(server.name(), who, entry.address()));
    }
  }

  private boolean may(String who, Permission permission, StreamId stream, long born) {
    long at = revoked.getOrDefault(new Right(who, permission, stream), -1L);
    return at == Long.MAX_VALUE || (at >= born && clock.getAsLong() - at <= lagNanos);
  }

  private static Stream<Entry> entries(Reply reply) {
    return switch (reply) {
      case LogUnitReply.Reads reads -> reads.outcomes().stream().flatMap(AccessWatch::held);
      case LogUnitReply.Copied copied ->
          copied.records().stream().flatMap(record -> held(record.outcome()));
      case LogUnitReply.StreamEntries found -> found.entries().stream();
      case LogUnitReply.Heard heard -> heard.entries().stream();
      case LogUnitReply.FoundBlocks found ->
          found.outcomes().stream()
              .flatMap(
                  one -> one instanceof BlocksOutcome.Whole(Entry e) ? Stream.of(e) : Stream.of());
      default -> Stream.of();
    };
  }

  private static LongStream blocks(Reply reply) {
    return reply instanceof LogUnitReply.FoundBlocks(List<BlocksOutcome> outcomes)
        ? outcomes.stream()
            .filter(BlocksOutcome.Found.class::isInstance)
            .mapToLong(one -> ((BlocksOutcome.Found) one).blocks().address())
        : LongStream.empty();
  }

  private static Stream<Entry> held(ReadOutcome outcome) {
    return outcome.held().stream();
  }
}
