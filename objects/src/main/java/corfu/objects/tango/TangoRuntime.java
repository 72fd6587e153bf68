package corfu.objects.tango;

import corfu.objects.tango.TangoRecord.Commit;
import corfu.objects.tango.TangoRecord.Read;
import corfu.objects.tango.TangoRecord.Update;
import corfu.objects.tango.TangoRecord.Write;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tango's runtime, which an application's own objects call (dissertation, section 5.1).
 *
 * <pre>{@code
 * class CorfuRegister implements TangoObject {
 *   private final TangoRuntime runtime;
 *   private final StreamId oid;
 *   private int state;
 *
 *   CorfuRegister(TangoRuntime runtime, String name) {
 *     this.runtime = runtime;
 *     this.oid = runtime.register(name, this);
 *   }
 *
 *   public void apply(ByteBuffer update, Address address) {
 *     state = update.getInt();
 *   }
 *
 *   void write(int newState) {
 *     runtime.updateHelper(oid, ByteBuffer.allocate(4).putInt(newState).flip());
 *   }
 *
 *   int read() {
 *     return runtime.queryHelper(oid, () -> state);
 *   }
 * }
 * }</pre>
 *
 * Updates are durable when they return, queries linearizable.
 *
 * <p>Transactions (section 5.2) belong to a thread. Between {@link #beginTx} and {@link #endTx},
 * the runtime remembers queries and holds back updates. The end appends a commit record to the
 * streams of all objects that the transaction writes. Each client that meets the record decides
 * whether it holds. It holds if no object that was read has changed before the record's place in
 * the log.
 *
 * <p>Transactions are strictly serializable. Unlike those of {@link
 * corfu.objects.ReplicatedObjects}, they do not see their own updates, and may see two objects at
 * different moments before they fail. Failed ones are in the log, too. A client may write an object
 * that it does not host, but can't query it.
 *
 * <p>Calls end like those of {@link corfu.runtime.Log}. Thread-safe.
 */
public final class TangoRuntime {

  private final TangoLog log;
  private final TangoOptions options;
  private final Decisions decisions;
  private final Map<StreamId, TangoView> views = new ConcurrentHashMap<>();
  private final Set<StreamId> checked = ConcurrentHashMap.newKeySet();

  @SuppressWarnings("ThreadLocalUsage") // a thread has one for each client
  private final ThreadLocal<@Nullable TangoTransaction> current = new ThreadLocal<>();

  private TangoRuntime(Corfu corfu, TangoOptions options) {
    this.log = new TangoLog(corfu);
    this.options = options;
    this.decisions = new Decisions(log, options.hostTimeout().toNanos());
  }

  /** That of this client. */
  public static TangoRuntime over(Corfu corfu) {
    return over(corfu, TangoOptions.DEFAULT);
  }

  /** The same with these options. */
  public static TangoRuntime over(Corfu corfu, TangoOptions options) {
    return new TangoRuntime(corfu, options);
  }

  // ----------------------------------------------------------------------------------- single
  // calls

  /**
   * Hosts an object here: its view is what its stream says, when it is queried.
   *
   * @return the object's id, that of the stream of this name
   * @throws IllegalStateException if this client has a view of it already
   */
  public StreamId register(String name, TangoObject object) {
    StreamId id = log.named(name);
    register(id, object);
    return id;
  }

  /** The same for the object of this stream. */
  public void register(StreamId id, TangoObject object) {
    TangoView view =
        new TangoView(
            log, decisions, options.otherTimeout().toNanos(), views::containsKey, id, object);
    if (views.putIfAbsent(id, view) != null) {
      throw new IllegalStateException(
          "object %s is registered here already: give its users the same view, or make another"
                  .formatted(id)
              + " TangoRuntime");
    }
  }

  /** Does not host an object any more. */
  public void unregister(StreamId id) {
    views.remove(id);
  }

  /**
   * Appends an update of an object, which need not be hosted here; in a transaction of the thread
   * it becomes a part of that.
   *
   * @throws MixedObjectException if it is an object of another kind
   */
  public void updateHelper(StreamId id, ByteBuffer update) {
    CallScope call = log.call();
    try {
      if (checked.add(id)) {
        check(id);
      }
      TangoTransaction transaction = current.get();
      if (transaction != null) {
        transaction.write(id, update);
      } else {
        Address unused = log.append(new Update(log.nextCall(), update), List.of(id));
      }
    } finally {
      call.end();
    }
  }

  private void check(StreamId id) {
    boolean isDone = false;
    try {
      log.check(id);
      isDone = true;
    } finally {
      if (!isDone) {
        checked.remove(id);
      }
    }
  }

  /**
   * Plays an object up to what is there now. In a transaction it is played once, and has been read.
   *
   * @throws IllegalArgumentException if it is not hosted here
   * @throws MixedObjectException if it is an object of another kind
   * @throws ForgottenHistoryException if what it takes has been forgotten
   */
  public void queryHelper(StreamId id) {
    boolean unused = queryHelper(id, () -> true);
  }

  /** The same, and lets somebody read the view, in whose way no upcall will be. */
  public <R extends @Nullable Object> R queryHelper(StreamId id, Supplier<R> read) {
    CallScope call = log.call();
    try {
      TangoView view = view(id);
      TangoTransaction transaction = current.get();
      R value;
      if (transaction == null) {
        value = view.query(Optional.empty(), read);
      } else if (transaction.hasRead(id)) {
        value = view.look(read);
      } else {
        value =
            view.query(
                Optional.empty(),
                () -> {
                  transaction.read(id, view.position());
                  return read.get();
                });
      }
      decisions.settle();
      return value;
    } finally {
      call.end();
    }
  }

  /**
   * Plays an object up to, not including, a log address: a view that was registered for that is
   * what the object was then.
   *
   * @throws IllegalStateException if the view is further already, or the thread is in a transaction
   */
  public void queryHelper(StreamId id, Address before) {
    CallScope call = log.call();
    try {
      if (current.get() != null) {
        throw new IllegalStateException("a transaction reads what is there now");
      }
      boolean unused = view(id).query(Optional.of(before), () -> true);
    } finally {
      call.end();
    }
  }

  private TangoView view(StreamId id) {
    TangoView view = views.get(id);
    if (view == null) {
      throw new IllegalArgumentException(
          "object %s is not hosted here, so it can't be read: register a view of it".formatted(id));
    }
    return view;
  }

  /**
   * The updates that an entry made of an object, read from the log: for views that hold addresses
   * instead of values. Empty if there are none, or they have been forgotten.
   */
  public List<ByteBuffer> updatesAt(StreamId id, Address address) {
    return log.at(id, address).stream()
        .flatMap(
            record ->
                switch (record) {
                  case Update update -> List.of(update.payload()).stream();
                  case Commit commit ->
                      commit.writes().stream()
                          .filter(write -> write.object().equals(id))
                          .map(Write::payload);
                  case TangoRecord.Decision decision -> List.<ByteBuffer>of().stream();
                  case TangoRecord.Checkpoint checkpoint -> List.<ByteBuffer>of().stream();
                })
        .map(ByteBuffer::asReadOnlyBuffer)
        .toList();
  }

  // -----------------------------------------------------------------------------------
  // transactions

  /**
   * Begins a transaction of the calling thread.
   *
   * @throws IllegalStateException if it is in one
   */
  public void beginTx() {
    if (current.get() != null) {
      throw new IllegalStateException("this thread is in a transaction already");
    }
    current.set(new TangoTransaction());
  }

  /** Gives the transaction of the calling thread up: nothing of it has happened. */
  public void abortTx() {
    TangoTransaction unused = ended();
  }

  /**
   * Ends the transaction of the calling thread. One that wrote nothing appends nothing.
   *
   * @return whether it holds; if not, nothing of it has happened
   * @throws corfu.runtime.TooManyStreamsException if it writes more objects than an entry can name
   * @throws corfu.runtime.AppendOutcomeUnknownException if the cluster failed in its middle, and it
   *     could not be found out whether it is in the log
   * @throws TransactionUndecidedException if it is, but what it has read could not be looked at
   */
  public boolean endTx() {
    CallScope call = log.call();
    try {
      TangoTransaction transaction = ended();
      List<Read> reads = transaction.reads();
      List<Write> writes = List.copyOf(transaction.writes());
      if (writes.isEmpty()) {
        return reads.stream().noneMatch(read -> decisions.hasChanged(read, Long.MAX_VALUE));
      }
      List<StreamId> written = writes.stream().map(Write::object).distinct().toList();
      boolean isAwaited = !reads.isEmpty() && written.stream().anyMatch(this::isShared);
      Commit commit = new Commit(log.nextCall(), isAwaited, reads, writes);
      Address at = log.append(commit, written);
      if (reads.isEmpty()) {
        return true;
      }
      boolean holds;
      try {
        holds = decisions.decide(at, commit);
      } catch (CorfuException | ForgottenHistoryException notNow) {
        throw new TransactionUndecidedException(at, notNow);
      }
      if (isAwaited) {
        decisions.tell(at, commit, holds);
      }
      return holds;
    } finally {
      call.end();
    }
  }

  /** Of what is not hosted here it is not known, so it may be. */
  private boolean isShared(StreamId id) {
    TangoView view = views.get(id);
    return view == null || view.object().isShared();
  }

  private TangoTransaction ended() {
    TangoTransaction transaction = current.get();
    if (transaction == null) {
      throw new IllegalStateException("this thread has begun no transaction");
    }
    current.remove();
    return transaction;
  }

  // ------------------------------------------------------------------------------------
  // checkpoints

  /**
   * Saves an object's view, in one entry: from now on others begin there.
   *
   * @return the log address that it is of
   * @throws UnsupportedOperationException if the object can't be saved
   * @throws corfu.runtime.EntryTooLargeException if it is larger than the cluster allows
   */
  public Address checkpoint(StreamId id) {
    CallScope call = log.call();
    try {
      return view(id).checkpoint();
    } finally {
      call.end();
    }
  }

  /**
   * Forgets what an object was before the newest checkpoint that is no newer than {@code before}.
   * Transactions that are under way, and have read what is forgotten, can't be decided any more: so
   * leave some time.
   *
   * @return the log address from which on its history is kept; empty: all of it, as there is no
   *     such checkpoint
   */
  public Optional<Address> forget(StreamId id, Address before) {
    CallScope call = log.call();
    try {
      return view(id).forget(before);
    } finally {
      call.end();
    }
  }
}
