package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAppend;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.LogStream;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gathers commands into entries: a lone one goes out at once; while entries are under way, the next
 * ones gather. Thread-safe.
 */
final class Proposer {

  /** What becomes of a batch; called on threads of the client's, must not block. */
  interface Outcomes {
    /** It is about to be appended; it may be played from now on. */
    void leaves(long number, List<CompletableFuture<byte[]>> answers);

    /** It is in the log. */
    void landed(long number, StreamAddress at, Address address, ByteBuffer payload);

    /** It is not, or nobody knows. */
    void failed(long number, RuntimeException why);
  }

  private record Proposal(ByteBuffer command, CompletableFuture<byte[]> answer) {}

  private final World world;
  private final Log log;
  private final LogStream stream;
  private final SmrOptions options;
  private final Outcomes outcomes;
  private final long client;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Proposal> gathering = new ArrayDeque<>();
  private int inFlight;
  private long number;

  Proposer(World world, Log log, LogStream stream, SmrOptions options, Outcomes outcomes) {
    this.world = world;
    this.log = log;
    this.stream = stream;
    this.options = options;
    this.outcomes = outcomes;
    this.client = world.random().nextLong();
  }

  boolean isOwn(Batch.Name name) {
    return name.client() == client;
  }

  void propose(ByteBuffer command, CompletableFuture<byte[]> answer) {
    lock.lock();
    try {
      gathering.add(new Proposal(command, answer));
    } finally {
      lock.unlock();
    }
    sendWhatMay();
  }

  private void sendWhatMay() {
    while (true) {
      List<Proposal> batch;
      long batchNumber;
      lock.lock();
      try {
        if (gathering.isEmpty() || inFlight >= options.maxBatchesInFlight()) {
          return;
        }
        inFlight++;
        batchNumber = number++;
        batch = takeBatch();
      } finally {
        lock.unlock();
      }
      send(batchNumber, batch);
    }
  }

  private List<Proposal> takeBatch() {
    List<Proposal> batch = new ArrayList<>();
    int bytes = 0;
    while (!gathering.isEmpty() && batch.size() < options.maxCommandsPerEntry()) {
      int size = gathering.getFirst().command().remaining() + Batch.BYTES_A_COMMAND;
      if (!batch.isEmpty() && bytes + size > options.maxEntryBytes()) {
        break;
      }
      bytes += size;
      batch.add(gathering.removeFirst());
    }
    return batch;
  }

  private void send(long batchNumber, List<Proposal> batch) {
    outcomes.leaves(batchNumber, batch.stream().map(Proposal::answer).toList());
    var commands = batch.stream().map(Proposal::command).toList();
    ByteBuffer payload = new Batch(client, batchNumber, commands).encoded();
    CompletableFuture<StreamAppend.Appended> append;
    try {
      append = stream.appendAsync(payload.duplicate());
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
      outcomes.landed(batchNumber, appended.in(stream.id()), appended.address(), payload);
      batchDone();
    } else if (unwrap(failure) instanceof AppendOutcomeUnknownException unknown) {
      world.start("corfu-smr-find-out", () -> findOut(batchNumber, unknown)); // it blocks
    } else {
      outcomes.failed(batchNumber, asRuntime(unwrap(failure)));
      batchDone();
    }
  }

  /** Whoever decides the address knows whether the batch is there; then it may be carried out. */
  private void findOut(long batchNumber, AppendOutcomeUnknownException unknown) {
    try {
      switch (log.fill(unknown.address())) {
        case LogEntry.Data data when isBatch(data, batchNumber) ->
            data.streams().stream()
                .filter(in -> in.stream().equals(stream.id()))
                .forEach(
                    in ->
                        outcomes.landed(
                            batchNumber,
                            new StreamAddress(in.streamAddress()),
                            data.address(),
                            data.payload()));
        case LogEntry.Trimmed trimmed -> outcomes.failed(batchNumber, unknown);
        case LogEntry other ->
            outcomes.failed(
                batchNumber,
                new UnavailableException(
                    "the commands were not carried out: address %s, where they were to be, holds"
                            .formatted(unknown.address())
                        + " something else; submit them again"));
      }
    } catch (CorfuException stillUnknown) {
      outcomes.failed(batchNumber, unknown);
    } finally {
      batchDone();
    }
  }

  private boolean isBatch(LogEntry.Data data, long batchNumber) {
    return data.streams().stream().anyMatch(in -> in.stream().equals(stream.id()))
        && Batch.nameOf(data.address(), data.payload()).equals(new Batch.Name(client, batchNumber));
  }

  private void batchDone() {
    lock.lock();
    try {
      inFlight--;
    } finally {
      lock.unlock();
    }
    sendWhatMay();
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
