package corfu.objects;

import corfu.objects.generated.ObjectTypes;
import corfu.objects.history.ObjectHistory;
import corfu.objects.internal.checkpoint.CheckpointWriter;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.invoker.LiveInvoker;
import corfu.objects.internal.invoker.ObjectInvoker;
import corfu.objects.internal.invoker.RemoteInvoker;
import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.Catalogue;
import corfu.objects.internal.view.Restoration;
import corfu.objects.internal.view.View;
import corfu.objects.record.Update;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.remote.ViewHosts;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The replicated objects of a cluster. An object is a stream of changes. Opening an object returns
 * an instance of its class: the mutators append changes, and the accessors read the result of all
 * changes by all clients.
 *
 * <pre>{@code
 * ReplicatedObjects objects = ReplicatedObjects.over(corfu);
 * Account alice = objects.open("alice", Account.class);
 * Account bob = objects.open("bob", Account.class);
 * alice.deposit(100);
 * objects.transact(() -> {
 *   alice.withdraw(30);
 *   bob.deposit(30);
 * });
 * }</pre>
 *
 * Calls of operations throw the exception that the operation itself threw; {@link ObjectException};
 * {@link corfu.objects.serial.SerializationException} for an argument that can't be written; and
 * the exceptions of {@link corfu.runtime.Log} about the cluster. The calls end within the client's
 * operation timeout. A call that has to play a long history gets the timeout again for each 4,096
 * entries.
 *
 * <p>Thread-safe; one a client is enough, so that its objects share their questions to the
 * sequencer. Objects stay in memory for as long as this one does.
 */
public final class ReplicatedObjects {

  private final ObjectClient client;
  private final Transactions transactions;
  private final ConcurrentHashMap<Class<?>, ObjectType<?>> types = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Key, View<?>> views = new ConcurrentHashMap<>();

  private record Key(StreamId stream, ObjectType<?> type) {}

  private ReplicatedObjects(Corfu corfu, ObjectOptions options) {
    this.client = new ObjectClient(corfu, options, Catalogue::new);
    this.transactions = new Transactions(client);
  }

  /** The objects of the cluster of this client. */
  public static ReplicatedObjects over(Corfu corfu) {
    return over(corfu, ObjectOptions.DEFAULT);
  }

  public static ReplicatedObjects over(Corfu corfu, ObjectOptions options) {
    return new ReplicatedObjects(corfu, options);
  }

  // ----------------------------------------------------------------------------------------
  // opening

  /**
   * Opens an object of an annotated class. There is nothing to create: an object to which nothing
   * has happened is as its constructor makes it.
   *
   * @throws corfu.objects.generated.ObjectTypeException if the class can't be replicated
   */
  public <T> T open(String name, Class<T> type) {
    return open(name, typeOf(type));
  }

  /** Opens an object of a type that is described otherwise than by annotations. */
  public <T> T open(String name, ObjectType<T> type) {
    return live(view(name, named(name), type));
  }

  /** Returns the stream of the object of this name, which the client remembers for servers. */
  StreamId named(String name) {
    return client.access().named(name);
  }

  /** Opens the object of this stream. */
  public <T> T open(StreamId id, Class<T> type) {
    return open(id, typeOf(type));
  }

  /** Opens the object of this stream. */
  public <T> T open(StreamId id, ObjectType<T> type) {
    return live(view(id.toString(), id, type));
  }

  /** All objects as they were at this address of the log: with all changes at lower addresses. */
  public PastObjects at(Address address) {
    return new PastObjects(this, address);
  }

  /** The same objects, played by servers instead of this client; with the usual patience. */
  public RemoteObjects remote() {
    return remote(RemoteOptions.DEFAULT);
  }

  /**
   * The same objects, played by servers instead of this client. Calls of both kinds may be in one
   * transaction. One is enough, so that it remembers which servers answer.
   */
  public RemoteObjects remote(RemoteOptions options) {
    return new RemoteObjects(
        this, new ViewHosts(client.access(), options.patience(), options.playing()), options);
  }

  private <T> T live(View<T> view) {
    return view.type().replica(new LiveInvoker(view, transactions, this::openPart));
  }

  <T> T openPart(String name, StreamId id, ObjectType<T> type) {
    return live(view(name, id, type).asPart());
  }

  Transactions transactions() {
    return transactions;
  }

  ObjectClient client() {
    return client;
  }

  @SuppressWarnings("unchecked") // a view is kept under its type
  <T> View<T> view(String name, StreamId stream, ObjectType<T> type) {
    return (View<T>)
        views.computeIfAbsent(
            new Key(stream, type),
            missing -> {
              Checkpoints.remember(stream, client.access());
              return new View<>(
                  new ObjectContext<>(client, name, stream, type, client.serializerOf(type)));
            });
  }

  @SuppressWarnings("unchecked") // a type is kept under its class
  <T> ObjectType<T> typeOf(Class<T> type) {
    return (ObjectType<T>) types.computeIfAbsent(type, ObjectTypes::of);
  }

  /** The stream of an object that was opened here. */
  public StreamId idOf(Object object) {
    return ObjectInvoker.viewOf(object).stream();
  }

  /** That of an object whose state is all in its own stream. */
  private static View<?> wholeViewOf(Object object) {
    View<?> view = ObjectInvoker.viewOf(object);
    if (view.type().isComposed()) {
      throw new IllegalArgumentException(
          "%s is made of several objects, each with checkpoints and a history of its own, which"
                  .formatted(view)
              + " clients see to by themselves: set ObjectOptions.withCheckpoints instead");
    }
    return view;
  }

  // -----------------------------------------------------------------------------------
  // transactions

  /**
   * Runs a body in a transaction, with {@link TransactionOptions#DEFAULT}. If others win, it is run
   * again, a bounded number of times; so it should change nothing but objects. If it throws,
   * nothing of it has happened. Within a transaction of the thread it is a part of that. Body and
   * tries are one call: all of it ends within the client's operation timeout.
   *
   * @return what the body returned
   * @throws TransactionAbortedException if others won each time
   */
  public <R extends @Nullable Object> R transact(Supplier<R> body) {
    return transact(TransactionOptions.DEFAULT, body);
  }

  /** The same for a body that returns nothing. */
  public void transact(Runnable body) {
    transact(TransactionOptions.DEFAULT, body);
  }

  /** The same with these options. */
  @SuppressWarnings({"unchecked", "NullAway"}) // what the body returned: it may be null
  public <R extends @Nullable Object> R transact(TransactionOptions options, Supplier<R> body) {
    return (R) transactions.runUnchecked(options, body::get);
  }

  /** The same with these options, for a body that returns nothing. */
  public void transact(TransactionOptions options, Runnable body) {
    var unused =
        transactions.runUnchecked(
            options,
            () -> {
              body.run();
              return null;
            });
  }

  /**
   * Begins a transaction of the calling thread: until {@link #txEnd} or {@link #txAbort} all that
   * it does to objects is part of it. Inside of another one it becomes a part of that.
   */
  public void txBegin() {
    txBegin(TransactionOptions.DEFAULT);
  }

  /** The same with these options; their number of attempts is the caller's to see to. */
  public void txBegin(TransactionOptions options) {
    transactions.begin(options);
  }

  /**
   * Ends the transaction that was begun last; the outermost one is carried out.
   *
   * @throws TransactionAbortedException if another one was first: then nothing of it has happened,
   *     and it is over
   */
  public void txEnd() {
    transactions.end();
  }

  /** Gives up the transaction that was begun last, and with it all that it is a part of. */
  public void txAbort() {
    transactions.abort();
  }

  /**
   * Makes objects what they were at this address of the log, all of them in one change; what
   * happened since stays in their history. Nothing is read for it, so it can't lose against others;
   * within a transaction of the thread it is a part of that.
   *
   * <p>The old states are written, in one entry: together they must not be larger than the cluster
   * allows.
   *
   * @param objects opened here
   * @throws HistoryTrimmedException if the history of one of them does not go back so far any more;
   *     then none is changed
   * @throws corfu.runtime.EntryTooLargeException if their states don't fit into one entry
   */
  public void rollBack(Address at, Object... objects) {
    Map<StreamId, Object> different = new LinkedHashMap<>();
    for (Object object : objects) {
      different.putIfAbsent(wholeViewOf(object).stream(), object);
    }
    transact(
        () ->
            different
                .values()
                .forEach(
                    object -> {
                      Update then = restorationOf(object, at);
                      transactions.ofThisThread().restore(ObjectInvoker.viewOf(object), then);
                    }));
  }

  private static Update restorationOf(Object object, Address at) {
    return ObjectInvoker.of(object) instanceof RemoteInvoker far
        ? far.remote().restoration(at)
        : Restoration.of(ObjectInvoker.viewOf(object), at);
  }

  // ------------------------------------------------------------------------------------
  // checkpoints

  /**
   * Writes a checkpoint of an object: from now on it is opened from there. Others read and write it
   * meanwhile. One that servers play is written by the server.
   *
   * @return the log address that the checkpoint is of
   */
  public Address checkpoint(Object object) {
    View<?> view = wholeViewOf(object);
    CallScope call = client.call();
    try {
      return ObjectInvoker.of(object) instanceof RemoteInvoker far
          ? far.remote().checkpoint()
          : CheckpointWriter.write(view);
    } finally {
      call.end();
    }
  }

  /**
   * Forgets an object's history as far as a checkpoint allows: up to the newest checkpoint that is
   * no newer than {@code before}, and no newer than the snapshots that transactions of this client
   * are reading. Older states can't be read any more, at any address.
   *
   * @return the log address from which on the history is kept, or empty if nothing was forgotten
   *     because there is no such checkpoint
   */
  public Optional<Address> forget(Object object, Address before) {
    CallScope call = client.call();
    try {
      return wholeViewOf(object).checkpoints().forget(before);
    } finally {
      call.end();
    }
  }

  // ------------------------------------------------------------------------------------
  // looking around

  /**
   * The objects that anybody has changed, by their names. An object is listed from shortly after
   * its first change on.
   */
  public List<CatalogueEntry> list() {
    CallScope call = client.call();
    try {
      return client.catalogue().list();
    } finally {
      call.end();
    }
  }

  /**
   * Whether an object can be opened as this type, as far as its stream tells. Anything can be, to
   * which nothing has happened yet; so can composed objects, whose parts are looked at instead.
   */
  public boolean isOfType(StreamId object, ObjectType<?> type) {
    return type.isComposed()
        || new View<>(
                new ObjectContext<>(
                    client, object.toString(), object, type, client.serializerOf(type)))
            .typeCheck()
            .objection()
            .isEmpty();
  }

  /** All changes of an object that are still in the log, the oldest first, whatever its type. */
  public ObjectHistory history(StreamId object) {
    return new ObjectHistory(client.streams().open(object));
  }
}
