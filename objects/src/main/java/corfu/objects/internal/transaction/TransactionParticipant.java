package corfu.objects.internal.transaction;

import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.view.OperationKeys;
import corfu.objects.internal.view.UncommittedUpdates;
import corfu.objects.internal.view.View;
import corfu.objects.record.Update;
import corfu.objects.type.KeyHash;
import corfu.objects.type.Operation;
import corfu.objects.type.Shared;
import corfu.protocol.stream.StreamPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object in a transaction: what of it has been read, and, once its own changes are to be seen, a
 * state of the transaction's own. For one thread.
 */
final class TransactionParticipant<T> {

  private final Transaction transaction;
  private final View<T> view;
  private final Optional<RemoteView<T>> remote;
  private final Reads reads = new Reads();
  private Optional<T> own = Optional.empty(); // has the first `carriedOut` of the changes in it
  private int carriedOut;

  /**
   * @param remote who is asked instead of the view, as long as there is an answer
   */
  TransactionParticipant(Transaction transaction, View<T> view, Optional<RemoteView<T>> remote) {
    this.transaction = transaction;
    this.view = view;
    this.remote = remote;
  }

  /** The reads of an object: some keys, or the whole object. */
  static final class Reads {
    private boolean isWhole;
    private final Map<Long, @Nullable Object> keys = new LinkedHashMap<>();

    void add(List<@Nullable Object> read) {
      for (@Nullable Object key : read) {
        if (key != Operation.Keys.NONE) {
          keys.put(KeyHash.of(key), key);
        }
      }
      isWhole |= read.isEmpty() || keys.size() > OperationKeys.MOST_KEYS;
    }

    boolean isEmpty() {
      return !isWhole && keys.isEmpty();
    }

    List<Long> hashes() {
      return isWhole ? List.of() : List.copyOf(keys.keySet());
    }

    Optional<String> keyOf(long hash) {
      return keys.containsKey(hash)
          ? Optional.of(String.valueOf(keys.get(hash)))
          : Optional.empty();
    }
  }

  View<T> view() {
    return view;
  }

  Optional<String> keyOf(long hash) {
    return reads.keyOf(hash);
  }

  /** Returns the part of the object that was read, or empty if nothing was read. */
  Optional<StreamPart> read() {
    return reads.isEmpty()
        ? Optional.empty()
        : Optional.of(new StreamPart(view.stream(), reads.hashes()));
  }

  @Nullable Object access(int operation, @Nullable Object[] arguments) throws Throwable {
    @Nullable Object value = null;
    try {
      value = accessed(operation, arguments);
      return value;
    } finally {
      hasRead(operation, arguments, value);
    }
  }

  /** That it threw, or found nothing, is something that has been read, too. */
  private void hasRead(int operation, @Nullable Object[] arguments, @Nullable Object value) {
    Operation.Made call =
        new Operation.Made(
            arguments,
            Optional.ofNullable(value),
            key -> transaction.hasChanged(view.stream(), KeyHash.of(key)));
    reads.add(OperationKeys.read(view.operation(operation), call));
  }

  private @Nullable Object accessed(int operation, @Nullable Object[] arguments) throws Throwable {
    Optional<RemoteView.Value> told = askRemote(operation, arguments);
    if (told.isPresent()) {
      return told.get().value();
    }
    if (own.isEmpty() && transaction.updatesOf(view.stream()).isEmpty()) {
      return transaction.snapshot().readShared(view, operation, arguments);
    }
    T state = ownState();
    @Nullable Object value = view.type().apply(state, operation, arguments);
    return given(value);
  }

  /** Empty: the transaction has a state of its own, or has to make one. */
  private Optional<RemoteView.Value> askRemote(int operation, @Nullable Object[] arguments)
      throws Throwable {
    return remote.isEmpty() || own.isPresent()
        ? Optional.empty()
        : transaction
            .snapshot()
            .readRemotely(remote.get(), operation, arguments, transaction.updatesOf(view.stream()));
  }

  /** Returns a value that the caller may keep. */
  private @Nullable Object given(@Nullable Object value) {
    return value instanceof Shared ? value : view.serializer().copy(value);
  }

  /**
   * Carries out a change whose outcome is wanted; if it throws, it is no part of the transaction.
   */
  @Nullable Object change(int operation, @Nullable Object[] arguments) throws Throwable {
    Update update = view.changes().update(operation, arguments);
    Optional<RemoteView.Value> told = changedRemotely(operation, arguments);
    if (told.isPresent()) {
      transaction.add(view, operation, arguments, update);
      return told.get().value();
    }
    T state = ownState();
    try {
      @Nullable Object value = changed(state, operation, arguments, update);
      transaction.add(view, operation, arguments, update);
      carriedOut++;
      return given(value);
    } catch (Throwable failure) {
      own = Optional.empty(); // half done; made again when it is needed
      carriedOut = 0;
      throw failure;
    }
  }

  private Optional<RemoteView.Value> changedRemotely(int operation, @Nullable Object[] arguments)
      throws Throwable {
    boolean isAnswered = true;
    @Nullable Object value = null;
    try {
      Optional<RemoteView.Value> told = askRemote(operation, arguments);
      isAnswered = told.isPresent();
      value = told.map(RemoteView.Value::value).orElse(null);
      return told;
    } finally {
      if (isAnswered) {
        hasRead(operation, arguments, value);
      }
    }
  }

  private @Nullable Object changed(
      T state, int operation, @Nullable Object[] arguments, Update update) throws Throwable {
    @Nullable Object value = null;
    try {
      value =
          view.type()
              .apply(
                  state,
                  operation,
                  view.context()
                      .codec()
                      .argumentsOf(update, transaction.snapshot().now(), Optional.empty()));
      return value;
    } finally {
      hasRead(operation, arguments, value);
    }
  }

  /** The state of the snapshot with all changes of the transaction so far. */
  private T ownState() throws Throwable {
    T state = own.isPresent() ? own.get() : transaction.snapshot().fork(view);
    List<Update> all = transaction.updatesOf(view.stream());
    List<Update> fresh = List.copyOf(all.subList(carriedOut, all.size()));
    for (Update update : fresh) {
      state = UncommittedUpdates.carriedOut(view, state, update, transaction.snapshot().now());
    }
    carriedOut += fresh.size();
    own = Optional.of(state);
    return state;
  }
}
