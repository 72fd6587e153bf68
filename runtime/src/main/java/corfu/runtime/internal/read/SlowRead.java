package corfu.runtime.internal.read;

import corfu.protocol.Address;
import corfu.protocol.Entry;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.internal.append.InFlightAppends;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.session.LogEntries;
import corfu.runtime.internal.session.RetryLoop;
import corfu.runtime.internal.token.Tokens;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads an address that the tail of its chain does not hold, or cannot read. The entry may be in
 * flight, left half done by a dead writer, never written, or behind the end of the log. If many
 * tokens in a row were abandoned, the reader waits only for the highest one. Thread-safe.
 */
public final class SlowRead {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(10);

  /**
   * The part of the hole timeout within which a learned tail still counts as the tail at the wait's
   * beginning.
   */
  private static final int SOON_PART = 8;

  private final World world;
  private final RetryLoop retryLoop;
  private final ChainRepair chainRepair;
  private final Tokens tokens;
  private final InFlightAppends underWay;
  private final Duration holeTimeout;

  /**
   * Writers below this address have had their time: their tokens were issued before a wait that has
   * ended.
   */
  private final AtomicLong waitedBelow = new AtomicLong();

  public SlowRead(
      World world,
      RetryLoop retryLoop,
      ChainRepair chainRepair,
      Tokens tokens,
      InFlightAppends underWay,
      Duration holeTimeout) {
    this.world = world;
    this.retryLoop = retryLoop;
    this.chainRepair = chainRepair;
    this.tokens = tokens;
    this.underWay = underWay;
    this.holeTimeout = holeTimeout;
  }

  /** Returns the address below which no reader needs to wait for writers any more. */
  long waitedBelow() {
    return waitedBelow.get();
  }

  /** One wait for all writers whose tokens were issued before it began. For one thread. */
  private final class Wait {
    private final Deadline end = Deadline.in(world, holeTimeout);
    private final Deadline soon = Deadline.in(world, holeTimeout.dividedBy(SOON_PART));
    private final long address;
    private long waitedBelow = -1;

    Wait(long address) {
      this.address = address;
    }

    /**
     * Returns whether the wait is over. A tail that is learned late includes tokens younger than
     * the wait. Then only the tokens below the address are known to be older.
     *
     * @param tail the log's tail now
     */
    boolean isOver(long tail) {
      if (waitedBelow < 0) {
        waitedBelow = soon.hasPassed() ? address : tail;
      }
      return end.hasPassed();
    }
  }

  /** Returns the address's entry. Waits for its writer until the hole timeout at most. */
  LogEntry read(long address, Deadline deadline) {
    Wait wait = new Wait(address);
    Duration pause = FIRST_PAUSE;
    underWay.await(address, holeTimeout, deadline);
    while (true) {
      Optional<LogEntry> found =
          retryLoop.untilDone(
              "read address " + address,
              deadline,
              (layout, until) -> look(address, wait, layout, until));
      if (found.isPresent()) {
        return found.get();
      }
      long untilWriterIsGone = wait.end.remainingNanos(pause);
      world.pause(Duration.ofNanos(deadline.remainingNanos(Duration.ofNanos(untilWriterIsGone))));
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  /**
   * Asks once; empty while the writer may still come. The head decides: an entry that it holds is
   * completed at once.
   */
  private Optional<LogEntry> look(long address, Wait wait, Layout layout, Deadline deadline) {
    if (layout.isBefore(address)) {
      return Optional.of(new LogEntry.Trimmed(new Address(address)));
    }
    Chain chain = layout.chainOf(address);
    if (chain.isLost()) {
      return Optional.of(result(address, chainRepair.decide(address, layout, deadline)));
    }
    return switch (chainRepair.read(address, chain.head(), layout, deadline)) {
      case ReadOutcome.Found found ->
          Optional.of(result(address, chainRepair.carryOn(address, layout, deadline)));
      case ReadOutcome.Unconfirmed unconfirmed ->
          Optional.of(result(address, chainRepair.carryOn(address, layout, deadline)));
      case ReadOutcome.Trimmed trimmed ->
          Optional.of(result(address, chainRepair.trimOn(address, layout, deadline)));
      case ReadOutcome.Corrupt corrupt ->
          Optional.of(result(address, chainRepair.carryOn(address, layout, deadline)));
      case ReadOutcome.Forbidden forbidden -> throw ChainRepair.forbidden(address, chain.head());
      case ReadOutcome.Unwritten unwritten -> {
        long tail = tokens.tail(layout, deadline);
        if (address >= tail) {
          yield Optional.of(new LogEntry.Unwritten(new Address(address)));
        }
        boolean isOver = wait.isOver(tail);
        if (!isOver && address >= waitedBelow.get()) {
          yield Optional.empty();
        }
        if (isOver) {
          long unused = waitedBelow.accumulateAndGet(wait.waitedBelow, Math::max);
        }
        yield Optional.of(result(address, chainRepair.decide(address, layout, deadline)));
      }
    };
  }

  public static LogEntry result(long address, ChainRepair.Decision decision) {
    return switch (decision) {
      case ChainRepair.Decision.Holds(Entry entry) -> LogEntries.of(entry);
      case ChainRepair.Decision.Gone gone -> new LogEntry.Trimmed(new Address(address));
    };
  }
}
