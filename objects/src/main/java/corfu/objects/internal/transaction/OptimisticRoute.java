package corfu.objects.internal.transaction;

import corfu.objects.MutatorCall;
import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.view.AwaitedChange;
import corfu.objects.internal.view.OperationKeys;
import corfu.objects.internal.view.Precondition;
import corfu.objects.internal.view.StaleRead;
import corfu.objects.internal.view.View;
import corfu.objects.type.Operation;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a thread that find out which part of an object a change goes to, and the change itself.
 * The calls read the states that this client already has: such reads cost nothing, and may be old.
 * The change is appended if nothing that the calls read has changed since. So far it is like a
 * transaction. Unlike a transaction, the change has not read the part that it changes. Its caller
 * gets the outcome at the place in the log where the change was ordered. So two such changes never
 * conflict with each other. For one thread.
 */
public final class OptimisticRoute {

  private final boolean isFresh;
  private final List<StaleRead> known = new ArrayList<>();
  private final Map<StreamId, Set<Long>> keys = new LinkedHashMap<>();
  private final Set<StreamId> whole = new LinkedHashSet<>();
  private final Set<View<?>> caughtUp = new LinkedHashSet<>();
  private boolean isOver;

  /**
   * @param isFresh whether it asks for the current state
   */
  OptimisticRoute(boolean isFresh) {
    this.isFresh = isFresh;
  }

  public @Nullable Object invoke(View<?> view, int place, @Nullable Object[] arguments)
      throws Throwable {
    return switch (kindOfNext(view, place)) {
      case ACCESSOR -> read(view, place, arguments);
      case MUTATOR_ACCESSOR -> AwaitedChange.of(view, place, arguments, precondition());
      case MUTATOR -> {
        if (isCarriedOutFirst(view)) {
          yield AwaitedChange.of(view, place, arguments, precondition());
        }
        view.changes().write(place, arguments, precondition());
        yield null;
      }
      case TRANSACTION, READ_ONLY_TRANSACTION -> throw noOperation(view, place);
    };
  }

  /**
   * The same for an object that servers play. An accessor reads the state that this client plays
   * itself. This client also appends the change. If the caller gets the outcome, it comes from a
   * host, or from a state of this client if no host answers.
   */
  public @Nullable Object invoke(RemoteView<?> remote, int place, @Nullable Object[] arguments)
      throws Throwable {
    View<?> view = remote.view();
    return switch (kindOfNext(view, place)) {
      case ACCESSOR -> read(view, place, arguments);
      case MUTATOR_ACCESSOR -> remote.change(place, arguments, precondition());
      case MUTATOR -> {
        if (isCarriedOutFirst(view)) {
          yield remote.change(place, arguments, precondition());
        }
        view.changes().write(place, arguments, precondition());
        yield null;
      }
      case TRANSACTION, READ_ONLY_TRANSACTION -> throw noOperation(view, place);
    };
  }

  /**
   * Returns the kind of the next call. A change is the last call.
   *
   * @throws IllegalStateException if a change was called before
   */
  private Operation.Kind kindOfNext(View<?> view, int place) {
    Operation operation = view.operation(place);
    if (isOver) {
      throw new IllegalStateException(
          "%s of %s is called after the change that a route leads to, which is its last call"
              .formatted(operation.name(), view.name()));
    }
    isOver = operation.kind().changes();
    return operation.kind();
  }

  private static boolean isCarriedOutFirst(View<?> view) {
    return view.client().options().mutatorCall() == MutatorCall.RETURNS_WHEN_CARRIED_OUT;
  }

  private static IllegalArgumentException noOperation(View<?> view, int place) {
    return new IllegalArgumentException(
        view.operation(place).name() + " is no operation on a state");
  }

  private @Nullable Object read(View<?> view, int place, @Nullable Object[] arguments)
      throws Throwable {
    if (isFresh && caughtUp.add(view)) {
      view.catchUp();
    }
    StaleRead read = view.readStale(place, arguments);
    known.add(read);
    TransactionParticipant.Reads reads = new TransactionParticipant.Reads();
    Operation.Made call =
        new Operation.Made(arguments, Optional.ofNullable(read.value), key -> false);
    reads.add(OperationKeys.read(view.operation(place), call));
    if (!reads.isEmpty()) {
      if (reads.hashes().isEmpty()) {
        whole.add(view.stream());
      }
      keys.computeIfAbsent(view.stream(), stream -> new LinkedHashSet<>()).addAll(reads.hashes());
    }
    return read.value;
  }

  /** Returns the condition that nothing that the calls read has changed since. */
  private Precondition precondition() {
    if (keys.isEmpty()) {
      return Precondition.NONE;
    }
    List<StreamPart> parts = new ArrayList<>();
    keys.forEach(
        (stream, hashes) ->
            parts.add(
                new StreamPart(
                    stream,
                    whole.contains(stream) || hashes.size() > OperationKeys.MOST_KEYS
                        ? List.of()
                        : List.copyOf(hashes))));
    Epoch epoch = known.getFirst().prefix.epoch();
    if (known.stream().allMatch(each -> each.prefix.epoch().equals(epoch))) {
      long before = known.stream().mapToLong(each -> each.prefix.before()).min().orElseThrow();
      long decided = known.stream().mapToLong(each -> each.decidedBelow).max().orElseThrow();
      return new Precondition(Optional.of(new Condition(before, parts)), new AsOf(epoch, decided));
    }
    long decided =
        known.stream()
            .mapToLong(each -> Math.min(each.prefix.before(), each.decidedBelow))
            .min()
            .orElseThrow();
    return new Precondition(Optional.of(new Condition(decided, parts)), AsOf.DECIDED);
  }
}
