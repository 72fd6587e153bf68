package corfu.objects.internal.view;

import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.internal.state.State;
import corfu.objects.record.Update;
import corfu.protocol.Address;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Changes that are carried out on a state of the caller's own, such as a transaction's. */
public final class UncommittedUpdates {

  private UncommittedUpdates() {}

  /**
   * A state with a change in it that is not in the log yet.
   *
   * @param state may be changed
   * @param snapshot of which the state is, for messages
   */
  public static <T> T carriedOut(PlayedObject<T> object, T state, Update update, Address snapshot) {
    OptionalInt operation = object.context().codec().placeOf(update);
    if (operation.isEmpty()) {
      if (object.typeCheck().isForeign(update)) {
        return state; // it will be refused wherever the transaction is applied
      }
      throw object.context().codec().unknown(update, snapshot);
    }
    @Nullable Object[] arguments =
        object.context().codec().argumentsOf(update, snapshot, Optional.empty());
    return operation.getAsInt() == RestoringUpdate.PLACE
        ? Restoration.stateOf(object, arguments, snapshot, Optional.empty())
        : applied(object.context(), state, operation.getAsInt(), arguments);
  }

  /** A state with this done to it as well. */
  @SuppressWarnings("unchecked") // what is restored is a state of the view's type
  public static <T> T carriedOut(PlayedObject<T> object, T state, ResolvedUpdate step) {
    return switch (step) {
      case ResolvedUpdate.Call call ->
          applied(object.context(), state, call.operation, call.arguments);
      case ResolvedUpdate.Restore restored -> (T) restored.state();
      case ResolvedUpdate.Refuse refused -> state;
    };
  }

  private static <T> T applied(
      ObjectContext<T> object, T state, int operation, @Nullable Object[] arguments) {
    T before = object.snapshots().fork(state);
    try {
      var unused = object.type().apply(state, operation, arguments);
      return state;
    } catch (Error broken) {
      throw broken;
    } catch (Throwable failure) {
      State.checkHasRead(failure);
      return before; // it throws, and does nothing, wherever it is applied
    }
  }
}
