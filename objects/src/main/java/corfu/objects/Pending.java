package corfu.objects;

import corfu.objects.record.Update;
import corfu.protocol.Address;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes of a transaction that are not in the log yet. */
final class Pending {

  private Pending() {}

  /**
   * A state with such a change in it.
   *
   * @param state may be changed
   * @param snapshot of which the state is, for messages
   */
  static <T> T carriedOut(View<T> view, T state, Update update, Address snapshot) {
    int operation = view.operationOf(update, snapshot);
    @Nullable Object[] arguments = view.argumentsOf(update, snapshot);
    if (operation == Restoration.PLACE) {
      return Restoration.stateOf(view, arguments, snapshot, Optional.empty());
    }
    T before = view.fork(state);
    try {
      var unused = view.type().apply(state, operation, arguments);
      return state;
    } catch (Error broken) {
      throw broken;
    } catch (Throwable failure) {
      State.checkHasRead(failure);
      return before; // it will throw, and do nothing, wherever the transaction is applied
    }
  }
}
