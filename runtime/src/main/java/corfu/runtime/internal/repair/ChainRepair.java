package corfu.runtime.internal.repair;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Permission;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.CorfuException;
import corfu.runtime.CorruptEntryException;
import corfu.runtime.Deadline;
import corfu.runtime.NoSpaceException;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.rpc.Settlement;
import corfu.runtime.internal.session.RetryLoop;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Completes entries that others left half done: writes the entry of an address's head to the rest
 * of the chain. If the head holds nothing, writes a hole (docs/design.md, section 4, R1).
 * Thread-safe.
 */
public final class ChainRepair {

  /** The final content of an address on all its replicas. */
  public sealed interface Decision {
    /** The address holds an entry: data or a hole. */
    record Holds(Entry entry) implements Decision {}

    /** The address is trimmed. */
    record Gone() implements Decision {
      static final Gone GONE = new Gone();
    }
  }

  /**
   * The most background fills in flight. They only spare readers a wait; further addresses are left
   * to the readers.
   */
  private static final int FILLS_UNDER_WAY = 64;

  private final World world;
  private final Servers servers;
  private final RetryLoop retryLoop;
  private final Supplier<AppendId> ids;
  private final Confirmations confirmations;
  private final LostChain lostChain;
  private final Settlement settlement;
  private final Semaphore background = new Semaphore(FILLS_UNDER_WAY);

  public ChainRepair(World world, Servers servers, RetryLoop retryLoop, Supplier<AppendId> ids) {
    this.world = world;
    this.servers = servers;
    this.retryLoop = retryLoop;
    this.ids = ids;
    this.confirmations = new Confirmations(servers);
    this.lostChain = new LostChain(servers);
    this.settlement = new Settlement(servers);
  }

  public LostChain lostChain() {
    return lostChain;
  }

  /** Returns the requests to servers that finish what this client may not finish. */
  public Settlement settlement() {
    return settlement;
  }

  /** Tells log replicas that these addresses are complete. Does not wait for replies. */
  public void confirm(List<Long> addresses, Layout layout, Deadline deadline) {
    confirmations.tell(addresses, layout, deadline);
  }

  /**
   * Fills the address, or completes its entry, with retries until the operation's deadline. The
   * client itself needs the permission to do so. A server does it for a client that has the
   * permission, but not the token of the address.
   */
  public Decision fill(long address) {
    return retryLoop.untilDone(
        "fill address " + address,
        (layout, deadline) -> {
          try {
            return decideHere(address, layout, deadline);
          } catch (RetryableException refused) {
            if (!refused.lacks(Permission.OPERATE)) {
              throw refused;
            }
            return settled(refused, address, layout, deadline);
          }
        });
  }

  /** Fills the address in the background if nobody has written it. Reports nothing. */
  public void fillSoon(Address address) {
    if (background.tryAcquire()) {
      world.start(
          "corfu-fill-" + address,
          () -> {
            try {
              var unused =
                  retryLoop.untilDone(
                      "fill address " + address,
                      (layout, deadline) -> decide(address.value(), layout, deadline));
            } catch (CorfuException | RejectedExecutionException leftToReaders) {
              // a reader that needs the address will retry and see the failure; or the client is
              // closed
            } finally {
              background.release();
            }
          });
    }
  }

  /**
   * Decides the address in one attempt: offers the head a hole, then writes the head's entry to the
   * rest of the chain. Asks a server to settle the address if this client may not do that.
   */
  public Decision decide(long address, Layout layout, Deadline deadline) {
    try {
      return decideHere(address, layout, deadline);
    } catch (RetryableException refused) {
      return settled(refused, address, layout, deadline);
    }
  }

  private Decision decideHere(long address, Layout layout, Deadline deadline) {
    if (layout.isBefore(address)) {
      return Decision.Gone.GONE;
    }
    Chain chain = layout.chainOf(address);
    if (chain.isLost()) {
      return decideLost(address, layout, deadline);
    }
    Entry hole = Entry.hole(address, ids.get());
    return switch (write(hole, chain.head(), layout, deadline)) {
      case WriteOutcome.Written won -> carry(hole, layout, deadline);
      case WriteOutcome.Overwritten taken -> carryOnHere(address, layout, deadline);
      case WriteOutcome.Corrupt taken -> carryOnHere(address, layout, deadline);
      case WriteOutcome.Trimmed trimmed -> trimOn(address, layout, deadline);
      case WriteOutcome.NoSpace full -> throw new NoSpaceException(chain.head());
      case WriteOutcome.Damaged damaged -> throw damagedOnItsWay(chain.head());
    };
  }

  /** Has a server settle the address if this client lacked a permission, and reads it then. */
  private Decision settled(
      RetryableException refused, long address, Layout layout, Deadline deadline) {
    if (!refused.isForbidden()) {
      throw refused;
    }
    settlement.settle(AddressSet.of(address), layout, deadline);
    Chain chain = layout.chainOf(address);
    ReadOutcome outcome =
        chain.isLost()
            ? lostChain.look(address, layout, deadline).outcome()
            : readAnywhere(address, chain.replicas(), layout, deadline);
    return switch (outcome) {
      case ReadOutcome.Found(Entry entry) -> new Decision.Holds(entry);
      case ReadOutcome.Unconfirmed(Entry entry) -> new Decision.Holds(entry);
      case ReadOutcome.Trimmed trimmed -> Decision.Gone.GONE;
      case ReadOutcome.Corrupt(String detail) ->
          throw new CorruptEntryException(new Address(address), detail);
      case ReadOutcome.Forbidden forbidden -> throw forbidden(address, refused.server());
      case ReadOutcome.Unwritten unwritten ->
          throw RetryableException.server(
              refused.server(),
              false,
              "a server has settled address %d, but it is still unwritten".formatted(address));
    };
  }

  /**
   * Reads the entry that the head has accepted, and writes it to the replicas behind. Asks a server
   * to settle the address if this client may not do that.
   */
  public Decision carryOn(long address, Layout layout, Deadline deadline) {
    try {
      return carryOnHere(address, layout, deadline);
    } catch (RetryableException refused) {
      return settled(refused, address, layout, deadline);
    }
  }

  private Decision carryOnHere(long address, Layout layout, Deadline deadline) {
    Chain chain = layout.chainOf(address);
    if (chain.isLost()) {
      return decideLost(address, layout, deadline);
    }
    return switch (readAnywhere(address, chain.replicas(), layout, deadline)) {
      case ReadOutcome.Found(Entry entry) -> carry(entry, layout, deadline);
      case ReadOutcome.Unconfirmed(Entry entry) -> carry(entry, layout, deadline);
      case ReadOutcome.Trimmed trimmed -> trimOn(address, layout, deadline);
      case ReadOutcome.Unwritten unwritten ->
          throw RetryableException.server(
              chain.head(),
              false,
              "the log unit at "
                  + chain.head()
                  + " has lost the entry at address "
                  + address
                  + ", which it had accepted");
      case ReadOutcome.Corrupt(String detail) ->
          throw new CorruptEntryException(new Address(address), detail);
      case ReadOutcome.Forbidden forbidden -> throw forbidden(address, chain.head());
    };
  }

  /** Decides an address whose log chain is lost: an entry on any replica of a stream decides. */
  private Decision decideLost(long address, Layout layout, Deadline deadline) {
    LostChain.Held held = lostChain.look(address, layout, deadline);
    return switch (held.outcome()) {
      case ReadOutcome.Found(Entry entry) -> carryFrom(0, entry, layout, deadline);
      case ReadOutcome.Unconfirmed(Entry entry) -> carryFrom(0, entry, layout, deadline);
      case ReadOutcome.Trimmed trimmed -> trimOn(address, layout, deadline);
      case ReadOutcome.Unwritten unwritten -> fillLost(address, layout, deadline);
      case ReadOutcome.Corrupt(String detail) ->
          throw new CorruptEntryException(new Address(address), detail);
      case ReadOutcome.Forbidden forbidden -> throw forbidden(address, held.holders().getFirst());
    };
  }

  /** Writes a hole, unless another client's hole was first. */
  private Decision fillLost(long address, Layout layout, Deadline deadline) {
    Entry hole = Entry.hole(address, ids.get());
    Endpoint first = layout.path(hole).getFirst();
    return switch (write(hole, first, layout, deadline)) {
      case WriteOutcome.Written won -> carryFrom(1, hole, layout, deadline);
      case WriteOutcome.Overwritten taken ->
          carryFrom(1, held(address, first, layout, deadline), layout, deadline);
      case WriteOutcome.Corrupt taken ->
          carryFrom(1, held(address, first, layout, deadline), layout, deadline);
      case WriteOutcome.Trimmed trimmed -> trimOn(address, layout, deadline);
      case WriteOutcome.NoSpace full -> throw new NoSpaceException(first);
      case WriteOutcome.Damaged damaged -> throw damagedOnItsWay(first);
    };
  }

  private Entry held(long address, Endpoint replica, Layout layout, Deadline deadline) {
    ReadOutcome outcome = read(address, replica, layout, deadline);
    return outcome
        .held()
        .orElseThrow(
            () ->
                RetryableException.server(
                    replica,
                    false,
                    "the log unit at %s held address %d, and now answers %s"
                        .formatted(replica, address, outcome)));
  }

  private Decision carry(Entry entry, Layout layout, Deadline deadline) {
    return carryFrom(1, entry, layout, deadline);
  }

  /** Writes the entry to its registers from this one on. The registers before hold it. */
  private Decision carryFrom(int register, Entry entry, Layout layout, Deadline deadline) {
    List<Endpoint> path = layout.path(entry);
    for (Endpoint replica : path.subList(register, path.size())) {
      switch (write(entry, replica, layout, deadline)) {
        case WriteOutcome.Written written -> {}
        case WriteOutcome.Overwritten(var winner, var kind) -> {
          if (kind != entry.kind() || !winner.equals(entry.id())) {
            throw new IllegalStateException(
                "address "
                    + entry.address()
                    + " holds "
                    + entry
                    + " at the head of "
                    + path
                    + ", but another entry of "
                    + winner
                    + " at "
                    + replica
                    + ": the chain property is broken, please report this");
          }
        }
        case WriteOutcome.Corrupt held -> {} // this entry, as the first register decided
        case WriteOutcome.Trimmed trimmed -> {
          return trimOn(entry.address(), layout, deadline);
        }
        case WriteOutcome.NoSpace full -> throw new NoSpaceException(replica);
        case WriteOutcome.Damaged damaged -> throw damagedOnItsWay(replica);
      }
    }
    confirmations.tell(List.of(entry.address()), layout, deadline);
    return new Decision.Holds(entry);
  }

  /**
   * Completes a trim that some replica knows. A reader that reports an address as trimmed first
   * trims it on all replicas, joining ones included. Suppose that the trimming client died half
   * way. Then the next reader could otherwise see the entry again at another replica, or in another
   * layout.
   */
  public Decision trimOn(long address, Layout layout, Deadline deadline) {
    trimOn(AddressSet.of(address), layout, deadline);
    return Decision.Gone.GONE;
  }

  /**
   * Completes the trim of several addresses, all of which have the same holders. Asks a server to
   * settle them if this client may not trim.
   */
  public void trimOn(AddressSet addresses, Layout layout, Deadline deadline) {
    long first = addresses.at(0);
    try {
      for (Endpoint holder : layout.segmentOf(first).holdersOf(first)) {
        var request = new LogUnitRequest.Trim(layout.epoch(), addresses);
        servers.ask(holder, request, Reply.Done.class, deadline);
      }
    } catch (RetryableException refused) {
      if (!refused.isForbidden()) {
        throw refused;
      }
      settlement.settle(addresses, layout, deadline);
    }
  }

  /**
   * Returns the first readable copy, from the first of these replicas on. Returns a corrupt one
   * only if no other exists, not on replicas of streams either.
   *
   * @throws RetryableException if the entry is corrupt on one replica, and never reached another.
   *     That unit will have the entry repaired, or leave.
   */
  public ReadOutcome readAnywhere(
      long address, List<Endpoint> replicas, Layout layout, Deadline deadline) {
    ReadOutcome first = read(address, replicas.getFirst(), layout, deadline);
    if (!(first instanceof ReadOutcome.Corrupt(String detail))) {
      return first;
    }
    boolean isElsewhere = true;
    for (Endpoint replica : replicas.subList(1, replicas.size())) {
      ReadOutcome other = read(address, replica, layout, deadline);
      if (other.held().isPresent() || other instanceof ReadOutcome.Trimmed) {
        return other;
      }
      isElsewhere &= other instanceof ReadOutcome.Corrupt;
    }
    if (layout.segmentOf(address).serving().hasStreams()) {
      ReadOutcome other = lostChain.look(address, layout, deadline).outcome();
      if (!(other instanceof ReadOutcome.Unwritten)) {
        return other;
      }
      isElsewhere = false;
    }
    if (!isElsewhere) {
      throw RetryableException.server(replicas.getFirst(), false, detail);
    }
    return first;
  }

  public ReadOutcome read(long address, Endpoint replica, Layout layout, Deadline deadline) {
    var request = new LogUnitRequest.Read(layout.epoch(), AddressSet.of(address), 1);
    var reads = servers.ask(replica, request, LogUnitReply.Reads.class, deadline);
    return reads.outcomes().isEmpty()
        ? ReadOutcome.Unwritten.UNWRITTEN
        : verified(reads.outcomes().getFirst(), address, replica);
  }

  /**
   * Checks a unit's outcome: an entry whose checksum or address is wrong becomes {@code Corrupt}.
   */
  public static ReadOutcome verified(ReadOutcome outcome, long address, Endpoint replica) {
    return outcome
        .held()
        .filter(entry -> entry.address() != address || !entry.isIntact())
        .<ReadOutcome>map(
            entry ->
                new ReadOutcome.Corrupt(
                    "the log unit at %s sent a damaged %s for address %d"
                        .formatted(replica, entry, address)))
        .orElse(outcome);
  }

  /** Returns the failure for an entry that this client may not read. */
  public static RetryableException forbidden(long address, Endpoint replica) {
    return RetryableException.forbidden(
        replica,
        new Failure.Forbidden(
            Permission.READ,
            Optional.empty(),
            ("this client may not read the entry at address %d; an administrator grants read on one"
                    + " of the entry's streams, or read-log")
                .formatted(address)));
  }

  private WriteOutcome write(Entry entry, Endpoint replica, Layout layout, Deadline deadline) {
    var request = new LogUnitRequest.Write(layout.epoch(), List.of(entry));
    return servers.ask(replica, request, LogUnitReply.Writes.class, deadline).outcomes().getFirst();
  }

  private static RetryableException damagedOnItsWay(Endpoint server) {
    return RetryableException.server(server, false, "an entry was damaged in transit to " + server);
  }
}
