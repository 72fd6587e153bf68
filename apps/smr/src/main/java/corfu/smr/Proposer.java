package corfu.smr;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CallScope;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Batches commands into entries. A lone command leaves at once; while entries are in flight,
 * further commands gather. Thread-safe.
 *
 * <p>Commands leave in the order in which they were proposed. An entry stays in flight until its
 * outcome is known, or cannot be found out. So if one entry is in flight at a time, the next one
 * gets a later place in the stream.
 */
final class Proposer {

  /** Receives the outcomes of batches, on threads of the client; must not block. */
  interface Outcomes {
    /**
     * A batch is about to be appended; it may be applied from now on.
     *
     * @return whether to append it; if not, the receiver has failed its commands
     */
    boolean leaves(long number, List<CompletableFuture<byte[]>> answers);

    /** The batch is in the log. */
    void landed(StreamAddress at, PlayerQueue.Landed batch);

    /** The batch is not in the log, or its outcome is unknown. */
    void failed(long number, RuntimeException why);
  }

  /** A submitted command. The proposer's lock guards its state. */
  static final class Proposal {
    private final ByteBuffer command;
    private final CompletableFuture<byte[]> answer;
    private final Deadline deadline;
    private boolean hasLeft;
    private boolean isWithdrawn;

    private Proposal(ByteBuffer command, CompletableFuture<byte[]> answer, Deadline deadline) {
      this.command = command;
      this.answer = answer;
      this.deadline = deadline;
    }

    CompletableFuture<byte[]> answer() {
      return answer;
    }
  }

  private final StreamAccess access;
  private final World world;
  private final Log log;
  private final Streams streams;
  private final StreamId stream;
  private final SmrOptions options;
  private final Outcomes outcomes;
  private final long client;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Proposal> gathering = new ArrayDeque<>();
  private int inFlight;
  private long number;

  Proposer(
      StreamAccess access,
      Streams streams,
      StreamId stream,
      SmrOptions options,
      Outcomes outcomes) {
    this.access = access;
    this.world = access.world();
    this.log = access.log();
    this.streams = streams;
    this.stream = stream;
    this.options = options;
    this.outcomes = outcomes;
    this.client = world.random().nextLong();
  }

  boolean isOwn(CommandBatch.Name name) {
    return name.client() == client;
  }

  /**
   * Appends a command, together with others that gather meanwhile.
   *
   * @param deadline the deadline of the call
   * @param mayBlock whether the caller waits for the reply; then its thread may append the batch
   */
  Proposal propose(
      ByteBuffer command, CompletableFuture<byte[]> answer, Deadline deadline, boolean mayBlock) {
    Proposal proposal = new Proposal(command, answer, deadline);
    lock.lock();
    try {
      gathering.add(proposal);
    } finally {
      lock.unlock();
    }
    sendWhatMay(mayBlock);
    return proposal;
  }

  /** Withdraws a command. Returns false if it has left already. */
  boolean withdraw(Proposal proposal) {
    lock.lock();
    try {
      proposal.isWithdrawn = !proposal.hasLeft;
      return proposal.isWithdrawn;
    } finally {
      lock.unlock();
    }
  }

  private void sendWhatMay(boolean mayBlock) {
    for (boolean isFirst = true; ; isFirst = false) {
      List<Proposal> batch;
      long batchNumber;
      lock.lock();
      try {
        if (gathering.isEmpty() || inFlight >= options.maxBatchesInFlight()) {
          return;
        }
        batch = takeBatch();
        if (batch.isEmpty()) {
          return; // every command was withdrawn
        }
        inFlight++;
        batchNumber = number++;
      } finally {
        lock.unlock();
      }
      boolean isGoing = outcomes.leaves(batchNumber, batch.stream().map(Proposal::answer).toList());
      if (!isGoing) {
        leave();
      } else {
        append(batchNumber, batch, mayBlock && isFirst);
      }
    }
  }

  /** Appends a batch by its newest command's deadline; the other callers wait until their own. */
  private void append(long batchNumber, List<Proposal> batch, boolean mayBlock) {
    CallScope call = access.within(batch.getLast().deadline);
    try {
      if (mayBlock) {
        appendHere(batchNumber, payload(batchNumber, batch));
      } else {
        appendElsewhere(batchNumber, payload(batchNumber, batch));
      }
    } finally {
      call.end();
    }
  }

  private List<Proposal> takeBatch() {
    List<Proposal> batch = new ArrayList<>();
    int bytes = 0;
    while (!gathering.isEmpty() && batch.size() < options.maxCommandsPerEntry()) {
      Proposal next = gathering.getFirst();
      if (next.isWithdrawn) {
        gathering.removeFirst();
        continue;
      }
      int size = next.command.remaining() + CommandBatch.BYTES_A_COMMAND;
      if (!batch.isEmpty() && bytes + size > options.maxEntryBytes()) {
        break;
      }
      bytes += size;
      next.hasLeft = true;
      batch.add(gathering.removeFirst());
    }
    return batch;
  }

  private ByteBuffer payload(long batchNumber, List<Proposal> batch) {
    var commands = batch.stream().map(proposal -> proposal.command).toList();
    return new CommandBatch(client, batchNumber, commands).encoded();
  }

  private void appendHere(long batchNumber, ByteBuffer payload) {
    try {
      var unused =
          streams.appendChange(
              List.of(StreamPart.whole(stream)),
              Optional.empty(),
              payload.duplicate(),
              outcome -> ended(batchNumber, payload, (StreamAppend.Appended) outcome, null));
    } catch (RuntimeException failure) { // for example too large
      ended(batchNumber, payload, null, failure);
    }
  }

  private void appendElsewhere(long batchNumber, ByteBuffer payload) {
    CompletableFuture<StreamAppend.Appended> append;
    try {
      append = streams.appendAsync(List.of(stream), payload.duplicate());
    } catch (RuntimeException refused) { // for example too large
      append = CompletableFuture.failedFuture(refused);
    }
    var unused =
        append.handle(
            (appended, failure) -> {
              ended(batchNumber, payload, appended, failure);
              return true;
            });
  }

  private void ended(
      long batchNumber,
      ByteBuffer payload,
      StreamAppend.@Nullable Appended appended,
      @Nullable Throwable failure) {
    if (appended != null) {
      outcomes.landed(
          appended.in(stream),
          new PlayerQueue.Landed(batchNumber, appended.address(), payload, Optional.of(appended)));
      batchDone();
    } else if (unwrap(failure) instanceof AppendOutcomeUnknownException unknown) {
      world.start("corfu-smr-find-out", () -> findOut(batchNumber, unknown)); // blocks
    } else {
      outcomes.failed(batchNumber, asRuntime(unwrap(failure)));
      batchDone();
    }
  }

  /**
   * Decides the address of a batch with an unknown outcome, and reports whether the batch is there.
   */
  private void findOut(long batchNumber, AppendOutcomeUnknownException unknown) {
    try {
      switch (log.fill(unknown.address())) {
        case LogEntry.Data data when isBatch(data, batchNumber) ->
            data.streams().stream()
                .filter(in -> in.stream().equals(stream))
                .forEach(
                    in ->
                        outcomes.landed(
                            new StreamAddress(in.streamAddress()),
                            new PlayerQueue.Landed(
                                batchNumber, data.address(), data.payload(), Optional.empty())));
        case LogEntry.Trimmed trimmed -> outcomes.failed(batchNumber, unknown);
        case LogEntry other ->
            outcomes.failed(
                batchNumber,
                new UnavailableException(
                    "the commands were not carried out: address %s, where they were to be, holds"
                            .formatted(unknown.address())
                        + " something else; submit them again"));
      }
    } catch (CorfuException | DamagedCommandException stillUnknown) {
      outcomes.failed(batchNumber, unknown);
    } finally {
      batchDone();
    }
  }

  private boolean isBatch(LogEntry.Data data, long batchNumber) {
    return data.streams().stream().anyMatch(in -> in.stream().equals(stream))
        && CommandBatch.nameOf(data.address(), data.payload())
            .equals(new CommandBatch.Name(client, batchNumber));
  }

  private void batchDone() {
    leave();
    sendWhatMay(false);
  }

  private void leave() {
    lock.lock();
    try {
      inFlight--;
    } finally {
      lock.unlock();
    }
  }

  private static Throwable unwrap(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? new IllegalStateException("an append ended without outcome") : cause;
  }

  private static RuntimeException asRuntime(Throwable failure) {
    return failure instanceof RuntimeException runtime
        ? runtime
        : new IllegalStateException("an append failed: " + failure, failure);
  }
}
