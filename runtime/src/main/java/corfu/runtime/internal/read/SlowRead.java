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

  /** An entry that the head holds is on its way to the tail. */
  private static final Duration FIRST_PAUSE_BEHIND_HEAD = Duration.ofNanos(200_000);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(10);

  /**
   * The part of the hole timeout for which a reader lets a writer complete an entry that the head
   * holds. A reader that completed it at once would repeat each write and each sync of the writer.
   */
  private static final int PATIENCE_PART = 4;

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
    private final Deadline patience = Deadline.in(world, holeTimeout.dividedBy(PATIENCE_PART));
    private final long address;
    private long waitedBelow = -1;
    private Duration pause = FIRST_PAUSE;

    Wait(long address) {
      this.address = address;
    }

    /** The head holds the entry, so that the tail will soon, if the writer lives. */
    void isBehindHead() {
      if (pause.equals(FIRST_PAUSE)) {
        pause = FIRST_PAUSE_BEHIND_HEAD;
      }
    }

    /** Returns the time until the next look. */
    Duration nextPause() {
      Duration now = pause;
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
      return now;
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
      long untilWriterIsGone = wait.end.remainingNanos(wait.nextPause());
      world.pause(Duration.ofNanos(deadline.remainingNanos(Duration.ofNanos(untilWriterIsGone))));
    }
  }

  /**
   * Asks once; empty while the writer may still come. The head decides: the reader completes an
   * entry that it holds, unless the writer does so soon.
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
      case ReadOutcome.Found found -> behindHead(address, wait, layout, deadline);
      case ReadOutcome.Unconfirmed unconfirmed ->
          Optional.of(result(address, chainRepair.carryOn(address, layout, deadline)));
      case ReadOutcome.Trimmed trimmed ->
          Optional.of(result(address, chainRepair.trimOn(address, layout, deadline)));
      case ReadOutcome.Corrupt corrupt ->
          Optional.of(result(address, chainRepair.carryOn(address, layout, deadline)));
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

  /** Returns the entry if the tail holds it. Completes it if the writer has had its time. */
  private Optional<LogEntry> behindHead(long address, Wait wait, Layout layout, Deadline deadline) {
    Chain chain = layout.chainOf(address);
    if (!wait.patience.hasPassed() && chain.replicas().size() > 1) {
      ReadOutcome atTail = chainRepair.read(address, chain.tail(), layout, deadline);
      if (atTail instanceof ReadOutcome.Found(Entry entry)) {
        return Optional.of(LogEntries.of(entry));
      }
      if (atTail instanceof ReadOutcome.Unwritten) {
        wait.isBehindHead();
        return Optional.empty();
      }
    }
    return Optional.of(result(address, chainRepair.carryOn(address, layout, deadline)));
  }

  public static LogEntry result(long address, ChainRepair.Decision decision) {
    return switch (decision) {
      case ChainRepair.Decision.Holds(Entry entry) -> LogEntries.of(entry);
      case ChainRepair.Decision.Gone gone -> new LogEntry.Trimmed(new Address(address));
    };
  }
}
