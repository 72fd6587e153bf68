package corfu.objects.internal.transaction;

import corfu.objects.MutatorCall;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.view.OperationKeys;
import corfu.objects.internal.view.View;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.type.Operation;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.StreamAppend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a thread (dissertation, section 5.3.3). All that it reads it reads at one
 * address of the log, its snapshot, taken when it first touches an object; what it changes it keeps
 * to itself. When it ends, one entry in the streams of all objects that it changes is appended, if
 * the sequencer finds that nothing of what it read has changed since the snapshot. So what loses is
 * never in the log, and whoever plays the log takes each entry as it is. For one thread.
 */
public final class Transaction {

  private final ObjectClient client;
  private final TransactionOptions options;
  private final TransactionSnapshot snapshot;
  private final Map<View<?>, TransactionParticipant<?>> participants = new LinkedHashMap<>();
  private final List<Update> updates = new ArrayList<>();
  private final Map<StreamId, Written> written = new LinkedHashMap<>();

  private int depth = 1;
  private boolean isDoomed;

  /** The changes of one object by the transaction. */
  private static final class Written {
    final View<?> view; // the first view through which it was changed
    final List<Update> updates = new ArrayList<>();
    final Set<Long> keys = new LinkedHashSet<>();
    boolean isWhole;

    Written(View<?> view) {
      this.view = view;
    }

    StreamPart part(StreamId stream) {
      boolean all = isWhole || keys.size() > OperationKeys.MOST_KEYS;
      return new StreamPart(stream, all ? List.of() : List.copyOf(keys));
    }
  }

  /**
   * @param maySpeculate whether it is tried again if what its client knows is not of now: then it
   *     may begin at that
   */
  Transaction(ObjectClient client, TransactionOptions options, boolean maySpeculate) {
    this.client = client;
    this.options = options;
    this.snapshot = new TransactionSnapshot(client, options, maySpeculate, this::read);
  }

  TransactionOptions options() {
    return options;
  }

  // --------------------------------------------------------------------------------------- nesting

  void enter() {
    depth++;
  }

  /** One less; tells whether that was the outermost one. */
  boolean leave() {
    depth--;
    return depth == 0;
  }

  /** An inner one was given up: so the outermost one can only be given up, too. */
  void doom() {
    isDoomed = true;
  }

  // ------------------------------------------------------------------------------------ operations

  public @Nullable Object invoke(View<?> view, int place, @Nullable Object[] arguments)
      throws Throwable {
    return invoke(view, () -> touch(view, Optional.empty()), place, arguments);
  }

  /** The same for an object that is read elsewhere. */
  public <T> @Nullable Object invoke(RemoteView<T> remote, int place, @Nullable Object[] arguments)
      throws Throwable {
    View<T> view = remote.view();
    Optional<RemoteView<T>> asked =
        snapshot.isUntouched(view) ? Optional.empty() : Optional.of(remote);
    return invoke(view, () -> touch(view, asked), place, arguments);
  }

  private @Nullable Object invoke(
      View<?> view,
      Supplier<TransactionParticipant<?>> touch,
      int place,
      @Nullable Object[] arguments)
      throws Throwable {
    Operation operation = view.operation(place);
    if (operation.kind().changes() && options.isReadOnly()) {
      throw new IllegalStateException(
          "%s changes %s, but the transaction is read-only"
              .formatted(operation.name(), view.name()));
    }
    return switch (operation.kind()) {
      case ACCESSOR -> touch.get().access(place, arguments);
      case MUTATOR_ACCESSOR -> touch.get().change(place, arguments);
      case MUTATOR -> {
        if (client.options().mutatorCall() == MutatorCall.RETURNS_WHEN_CARRIED_OUT) {
          yield touch.get().change(place, arguments);
        }
        add(view, place, arguments, view.changes().update(place, arguments));
        yield null;
      }
      case TRANSACTION, READ_ONLY_TRANSACTION ->
          throw new IllegalArgumentException(operation.name() + " is no operation on a state");
    };
  }

  private <T> TransactionParticipant<?> touch(View<T> view, Optional<RemoteView<T>> remote) {
    return participants.computeIfAbsent(
        view, first -> new TransactionParticipant<>(this, view, remote));
  }

  void add(View<?> view, int place, @Nullable Object[] arguments, Update update) {
    Written of = add(view, update);
    List<Long> keys = view.changes().part(place, arguments).keys();
    of.isWhole |= keys.isEmpty();
    of.keys.addAll(keys);
  }

  private Written add(View<?> view, Update update) {
    updates.add(update);
    Written of = written.computeIfAbsent(view.stream(), stream -> new Written(view));
    of.updates.add(update);
    return of;
  }

  /** Makes an object what it was at this log address; nothing of it is read for that. */
  public void restore(View<?> view, Update restoration) {
    if (options.isReadOnly()) {
      throw new IllegalStateException(
          "rolling back changes %s, but the transaction is read-only".formatted(view.name()));
    }
    view.typeCheck().beforeChange();
    add(view, restoration).isWhole = true;
  }

  List<Update> updatesOf(StreamId stream) {
    @Nullable Written of = written.get(stream);
    return of == null ? List.of() : of.updates;
  }

  /** Whether a key of an object, or all of it, has been changed here. */
  boolean hasChanged(StreamId stream, long key) {
    @Nullable Written of = written.get(stream);
    return of != null && (of.isWhole || of.keys.contains(key));
  }

  /** The objects of which something has been read. */
  private List<View<?>> read() {
    List<View<?>> read = new ArrayList<>();
    for (TransactionParticipant<?> each : participants.values()) {
      each.read().ifPresent(part -> read.add(each.view()));
    }
    return read;
  }

  /** The moment at which it reads. */
  public TransactionSnapshot snapshot() {
    return snapshot;
  }

  // ------------------------------------------------------------------------------------------- end

  /**
   * Makes all changes, or none.
   *
   * @throws TransactionAbortedException if none
   */
  void commit() {
    if (isDoomed) {
      throw new TransactionAbortedException(
          "a transaction inside of this one was given up, so all of it is");
    }
    if (updates.isEmpty()) {
      snapshot.confirm(); // all that it read was so then
      return;
    }
    List<StreamPart> writes = new ArrayList<>();
    written.forEach((stream, of) -> writes.add(of.part(stream)));
    Updates record = client.record(client.calls().next(), updates);
    StreamAppend outcome =
        client.append(
            record,
            writes,
            condition(writes),
            snapshot.asOf(),
            told -> written.values().forEach(of -> of.view.changes().appended(told, record)));
    if (outcome instanceof StreamAppend.Conflict conflict) {
      throw new TransactionAbortedException(explained(conflict));
    }
    written.values().forEach(of -> of.view.typeCheck().enterCatalogue());
  }

  private Optional<Condition> condition(List<StreamPart> writes) {
    return snapshot.unchanged(
        switch (options.isolation()) {
          case STRICT_SERIALIZABLE ->
              participants.values().stream().flatMap(each -> each.read().stream()).toList();
          case SNAPSHOT -> writes;
        });
  }

  private TransactionAbortedException.Conflict explained(StreamAppend.Conflict conflict) {
    StreamId stream = conflict.stream();
    String name = stream.toString();
    Optional<String> key = Optional.empty();
    for (TransactionParticipant<?> each : participants.values()) {
      if (each.view().stream().equals(stream)) {
        name = each.view().name();
        OptionalLong hash = conflict.key();
        key = hash.isPresent() ? each.keyOf(hash.getAsLong()) : Optional.empty();
      }
    }
    @Nullable Written of = written.get(stream);
    return new TransactionAbortedException.Conflict(
        stream, of == null ? name : of.view.name(), key, conflict.address());
  }

  /** Lets go of what it kept for its snapshot. */
  void close() {
    snapshot.close();
  }
}
