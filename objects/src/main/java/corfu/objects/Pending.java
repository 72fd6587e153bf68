package corfu.objects;

import corfu.objects.record.Update;
import corfu.protocol.Address;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Changes that are carried out on a state of the caller's own, such as a transaction's. */
final class Pending {

  private Pending() {}

  /**
   * A state with a change in it that is not in the log yet.
   *
   * @param state may be changed
   * @param snapshot of which the state is, for messages
   */
  static <T> T carriedOut(View<T> view, T state, Update update, Address snapshot) {
    OptionalInt operation = view.wording().placeOf(update);
    if (operation.isEmpty()) {
      if (view.typeCheck().isForeign(update)) {
        return state; // it will be refused wherever the transaction is applied
      }
      throw view.wording().unknown(update, snapshot);
    }
    @Nullable Object[] arguments = view.wording().argumentsOf(update, snapshot, Optional.empty());
    return operation.getAsInt() == Restoration.PLACE
        ? Restoration.stateOf(view, arguments, snapshot, Optional.empty())
        : applied(view, state, operation.getAsInt(), arguments);
  }

  /** A state with this done to it as well. */
  @SuppressWarnings("unchecked") // what is restored is a state of the view's type
  static <T> T carriedOut(View<T> view, T state, Step step) {
    return switch (step) {
      case Step.Call call -> applied(view, state, call.operation, call.arguments);
      case Step.Restore restored -> (T) restored.state();
      case Step.Refuse refused -> state;
    };
  }

  private static <T> T applied(View<T> view, T state, int operation, @Nullable Object[] arguments) {
    T before = view.fork(state);
    try {
      var unused = view.type().apply(state, operation, arguments);
      return state;
    } catch (Error broken) {
      throw broken;
    } catch (Throwable failure) {
      State.checkHasRead(failure);
      return before; // it throws, and does nothing, wherever it is applied
    }
  }
}
