package corfu.store;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.runtime.StreamAccess;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.smr.SmrOptions;
import corfu.smr.StateMachineReplica;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * A key-value store over the log.
 *
 * <pre>{@code
 * try (KeyValueStore store = KeyValueStore.open(client, "stock", StoreOptions.DEFAULT)) {
 *   store.write(new Changes().put("pens", ten).put("books", five)); // both, or none
 *   Map<String, Versioned> now = store.getAll(List.of("pens", "books")); // of one moment
 *   StoreSnapshot before = store.snapshot();
 * }
 * }</pre>
 *
 * <p>All calls are linearizable, for any number of keys. A change has one place in the log, and a
 * read sees every change that was complete when it was called. Thread-safe. Calls fail like those
 * of {@link corfu.runtime.Log} and {@link StateMachineReplica}. A call beyond a limit sends
 * nothing, and fails with a {@link StoreLimitException}.
 */
public final class KeyValueStore implements AutoCloseable {

  private static final String PREFIX = "corfu.store/";

  /**
   * The number of compactions that a call survives; each may move the values that it reads or
   * writes.
   */
  private static final int TRIES = 8;

  private final String name;
  private final StoreOptions options;
  private final LogStream valueStream;
  private final Values values;
  private final ChangeEncoder writes;
  private final StateMachineReplica<StoreMachine> replica;
  private final StreamAccess access;

  private KeyValueStore(Corfu corfu, String name, StoreOptions options) {
    this.name = name;
    this.options = options;
    this.valueStream = Streams.over(corfu).open(valuesOf(name)); // by name, for permissions
    ValueCache cache = new ValueCache(options.cacheBytes());
    this.values = new Values(corfu.streamAccess(), cache);
    this.writes = new ChangeEncoder(valueStream, options);
    // One command an entry, so that a log address is the version of one change.
    SmrOptions smr =
        SmrOptions.DEFAULT
            .withBatches(1, 1, SmrOptions.DEFAULT.maxPending())
            .withCheckpointEvery(options.checkpointEvery());
    this.replica =
        StateMachineReplica.open(corfu, PREFIX + name, () -> new StoreMachine(cache), smr);
    this.access = corfu.streamAccess();
  }

  /** Opens the store of this name. A new name is an empty store. */
  public static KeyValueStore open(Corfu corfu, String name, StoreOptions options) {
    return new KeyValueStore(corfu, name, options);
  }

  private static String valuesOf(String name) {
    return PREFIX + name + "/values";
  }

  /** Returns the streams of the store of this name, for mirrors. */
  public static List<StreamId> streams(String name) {
    List<StreamId> streams = new ArrayList<>(StateMachineReplica.streams(PREFIX + name));
    streams.add(StreamId.named(valuesOf(name)));
    return streams;
  }

  public String name() {
    return name;
  }

  /** Returns the options of this store. */
  public StoreOptions options() {
    return options;
  }

  // --------------------------------------------------------------------------------- reading

  /** Returns the key's value, or empty if it has none. */
  public Optional<Versioned> get(String key) {
    return Optional.ofNullable(getAll(List.of(key)).get(key));
  }

  /**
   * Returns the values of the keys that have one, all of one moment, in the order of the argument.
   */
  public Map<String, Versioned> getAll(Collection<String> keys) {
    return current(snapshot -> snapshot.getAll(keys));
  }

  /**
   * Returns the same for callers with bounded memory.
   *
   * @param beforeRead receives the size of all values in bytes before any value is read; if it
   *     throws, no value is read. It may be called again after a compaction
   */
  public Map<String, Versioned> getAll(Collection<String> keys, LongConsumer beforeRead) {
    return current(snapshot -> snapshot.getAll(keys, beforeRead));
  }

  /** Returns keys in their order and their values; see {@link StoreSnapshot#scan}. */
  public Map<String, Versioned> scan(String from, int most) {
    return current(snapshot -> snapshot.scan(from, most));
  }

  /** Returns the same; {@code beforeRead} is as for {@link #getAll(Collection, LongConsumer)}. */
  public Map<String, Versioned> scan(String from, int most, LongConsumer beforeRead) {
    return current(snapshot -> snapshot.scan(from, most, beforeRead));
  }

  private Map<String, Versioned> current(Function<StoreSnapshot, Map<String, Versioned>> reading) {
    CallScope call = access.call();
    try {
      for (int i = 1; ; i++) {
        try {
          return reading.apply(snapshot());
        } catch (ValueForgottenException moved) { // after the index was read
          if (i == TRIES) {
            throw moved;
          }
        }
      }
    } finally {
      call.end();
    }
  }

  /** Returns a snapshot of the present store. */
  public StoreSnapshot snapshot() {
    replica.sync();
    return played();
  }

  /** Returns a snapshot of the changes that this client has applied, without a request. */
  public StoreSnapshot played() {
    return replica.readPlayed(machine -> snapshotOf(machine, replica.played()));
  }

  /**
   * Returns a snapshot of the store at an earlier address.
   *
   * @param address the {@link StoreSnapshot#address} of a snapshot, or an address behind a change.
   *     The log's tail may be too high, because the next epoch may issue unused addresses again
   * @throws IllegalArgumentException if the log ends before the address
   * @throws corfu.smr.HistoryForgottenException if a compaction has deleted that history
   */
  public StoreSnapshot at(Address address) {
    return snapshotOf(replica.at(address), address);
  }

  private StoreSnapshot snapshotOf(StoreMachine machine, Address address) {
    return new StoreSnapshot(address, machine.index(), machine.lastChange(), values, options);
  }

  /**
   * Passes the changes of the store to a receiver, in their order. Ends within the operation
   * timeout after the last one.
   *
   * @param from the version of the first change, or a lower one
   * @param to the log address behind the last change
   * @throws corfu.smr.HistoryForgottenException if a compaction has deleted that history
   */
  public void history(Address from, Address to, Consumer<StoreChange> receiver) {
    CallScope call = access.call();
    try {
      StoreMachine machine = replica.at(from);
      replica.replay(
          from,
          to,
          command -> {
            long before = machine.lastChange();
            var what = IndexCommand.decode(command.body());
            var unused = machine.apply(command);
            if (machine.lastChange() != before && what instanceof IndexCommand.Write write) {
              receiver.accept(change(machine.lastChange(), write));
            }
          });
    } finally {
      call.end();
    }
  }

  private static StoreChange change(long version, IndexCommand.Write write) {
    List<String> written = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    for (IndexCommand.Change change : write.changes()) {
      (change instanceof IndexCommand.Remove ? removed : written).add(change.key());
    }
    return new StoreChange(version, written, removed);
  }

  // --------------------------------------------------------------------------------- writing

  /** Puts a key's value, and returns its version. */
  public long put(String key, byte[] value) {
    return written(write(new Changes().put(key, value)));
  }

  /** Removes a key's value, if it has one. */
  public void remove(String key) {
    var unused = written(write(new Changes().remove(key)));
  }

  private static long written(WriteOutcome outcome) {
    return switch (outcome) {
      case WriteOutcome.Written(long version) -> version;
      case WriteOutcome.Conflict conflict ->
          throw new IllegalStateException(
              "a change without conditions failed with " + conflict + "; please report this");
    };
  }

  /** Makes all of these changes, or none, and returns the outcome. */
  public WriteOutcome write(Changes changes) {
    CallScope call = access.call();
    try {
      for (int attempt = 1; attempt <= TRIES; attempt++) {
        switch (IndexReply.decode(replica.submit(command(changes).encoded()))) {
          case IndexReply.Done(long version) -> {
            return new WriteOutcome.Written(version);
          }
          case IndexReply.Refused(var key, var version) -> {
            return new WriteOutcome.Conflict(key, version);
          }
          case IndexReply.Stale stale -> {}
        }
      }
      throw compactedTooOften();
    } finally {
      call.end();
    }
  }

  private IndexCommand command(Changes changes) {
    CompletableFuture<IndexCommand> command = writes.command(changes);
    try {
      if (!access.deadline().await(command)) {
        throw valuesTooLate();
      }
      return command.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failed;
    }
  }

  private UnavailableException valuesTooLate() {
    return new UnavailableException(
        "the values of a change of store %s were not written within %d ms; nothing happened"
            .formatted(name, access.deadline().timeout().toMillis()));
  }

  private IllegalStateException compactedTooOften() {
    return new IllegalStateException(
        "store %s was compacted %d times while a change was under way; nothing happened"
            .formatted(name, TRIES));
  }

  /**
   * Makes all of these changes, or none, without waiting. Values must not change before the
   * outcome. The future is done by the deadline, or at most a twentieth of the operation timeout
   * later.
   */
  public CompletableFuture<WriteOutcome> writeAsync(Changes changes) {
    return tryWrite(changes, access.deadline(), 1);
  }

  private CompletableFuture<WriteOutcome> tryWrite(
      Changes changes, Deadline deadline, int attempt) {
    return within(deadline, () -> writes.command(changes))
        .thenCompose(command -> within(deadline, () -> replica.submitAsync(command.encoded())))
        .thenCompose(
            answer ->
                switch (IndexReply.decode(answer)) {
                  case IndexReply.Done(long version) ->
                      CompletableFuture.completedFuture(new WriteOutcome.Written(version));
                  case IndexReply.Refused(var key, var version) ->
                      CompletableFuture.completedFuture(new WriteOutcome.Conflict(key, version));
                  case IndexReply.Stale stale -> tryAgain(changes, deadline, attempt);
                });
  }

  /** Starts work on another thread within the same call. */
  private <T> CompletableFuture<T> within(Deadline deadline, Supplier<CompletableFuture<T>> begin) {
    CallScope call = access.within(deadline);
    try {
      return begin.get();
    } finally {
      call.end();
    }
  }

  private CompletableFuture<WriteOutcome> tryAgain(
      Changes changes, Deadline deadline, int attempt) {
    return attempt < TRIES
        ? tryWrite(changes, deadline, attempt + 1)
        : CompletableFuture.failedFuture(compactedTooOften());
  }

  /**
   * Rolls the whole store back to an earlier address, in one change. Later changes stay in its
   * history.
   *
   * @return {@link WriteOutcome.Conflict} if another client has changed the store meanwhile
   * @throws corfu.smr.HistoryForgottenException if a compaction has deleted that history
   * @throws corfu.runtime.EntryTooLargeException if so many keys differ that their names exceed an
   *     entry
   */
  public WriteOutcome rollBack(Address to) {
    CallScope call = access.call();
    try {
      OrderedIndex then = at(to).index();
      StoreSnapshot now = snapshot();
      List<IndexCommand.Change> changes = difference(now.index(), then);
      var command = new IndexCommand.Write(OptionalLong.of(now.lastChange()), List.of(), changes);
      return switch (IndexReply.decode(replica.submit(bytes(command)))) {
        case IndexReply.Done(long version) -> new WriteOutcome.Written(version);
        case IndexReply.Refused(var key, var version) -> new WriteOutcome.Conflict(key, version);
        case IndexReply.Stale stale -> throw new ValueForgottenException(to);
      };
    } finally {
      call.end();
    }
  }

  private static List<IndexCommand.Change> difference(OrderedIndex now, OrderedIndex then) {
    List<IndexCommand.Change> changes = new ArrayList<>();
    for (Map.Entry<String, ValueLocation> entry : now) {
      if (then.find(entry.getKey()).isEmpty()) {
        changes.add(new IndexCommand.Remove(entry.getKey()));
      }
    }
    for (Map.Entry<String, ValueLocation> entry : then) {
      ValueLocation slot = entry.getValue();
      if (!now.find(entry.getKey())
          .map(ValueLocation::version)
          .equals(Optional.of(slot.version()))) {
        changes.add(
            new IndexCommand.Elsewhere(
                entry.getKey(), slot.address(), slot.offset(), slot.length()));
      }
    }
    return changes;
  }

  // ---------------------------------------------------------------------------- housekeeping

  /**
   * Writes a checkpoint of the index, from which clients open the store.
   *
   * @return the log address of the checkpoint's state
   */
  public Address checkpoint() {
    return replica.checkpoint();
  }

  /**
   * Frees the space of overwritten and removed values. It moves the remaining values to the log's
   * end, and deletes everything before them. Readers and writers may continue meanwhile. If a
   * compaction dies, the next one completes it. It ends within the operation timeout after the last
   * values are moved; before it deletes, it waits for a second.
   *
   * @return the log address from which on history is kept
   */
  public Address compact() {
    CallScope call = access.call();
    try {
      return new StoreCompaction(access, this::snapshot, replica, values, valueStream, options)
          .run();
    } finally {
      call.end();
    }
  }

  static byte[] bytes(IndexCommand command) {
    var encoded = command.encoded();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    replica.close();
  }
}
