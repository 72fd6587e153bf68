package corfu.objects;

import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a view's type makes of the entries of a stream, one after the other: all of an entry is
 * understood before any of it is done. For one thread.
 *
 * <p>An update whose operation the type does not have is refused if it can be none of the type's:
 * it does nothing, and the view goes on. Each update of an entry stands for itself in this, also
 * those of a transaction: a view that plays another object of the transaction knows nothing of this
 * object's type. Before the stream has shown that it is of the type, nothing is refused: then it is
 * the view that is wrong.
 */
final class Steps<T> {

  private final View<T> view;
  private boolean isOfType;
  private boolean isOfAnotherType;

  Steps(View<T> view) {
    this.view = view;
  }

  /**
   * The view begins, or begins anew.
   *
   * @param isOurs at a state of its own type
   */
  void begin(boolean isOurs) {
    isOfType = isOurs;
    isOfAnotherType = false;
  }

  /** Whether the stream has shown that it is of the view's type. */
  boolean isOfType() {
    return isOfType;
  }

  /** Whether the stream begins with an operation that the view's type does not have. */
  boolean isOfAnotherType() {
    return isOfAnotherType;
  }

  /**
   * What an entry does to the object.
   *
   * @throws UndecodableEntryException if that is not known here
   */
  List<Step> of(Address address, Updates record) {
    return of(address, record, 0);
  }

  /** The same for the entry's updates from this one on. */
  List<Step> of(Address address, Updates record, int from) {
    List<Step> steps = new ArrayList<>(1);
    for (int i = from; i < record.updates().size(); i++) {
      if (record.updates().get(i).object().equals(view.stream())) {
        steps.add(step(address, record.updates().get(i), i));
      }
    }
    return steps;
  }

  private Step step(Address address, Update update, int place) {
    OptionalInt operation = view.wording().placeOf(update);
    if (operation.isEmpty()) {
      if (isOfType && view.typeCheck().isForeign(update)) {
        return new Step.Refuse(update, UpdateRefusedException.of(view, update, address));
      }
      isOfAnotherType = !isOfType;
      throw isOfType
          ? view.wording().later(update, address)
          : view.wording().unknown(update, address);
    }
    isOfType |=
        operation.getAsInt() != Restoration.PLACE && view.type().identifies(update.operation());
    @Nullable Object[] arguments =
        view.wording()
            .argumentsOf(update, address, Optional.of(view.values().inUpdate(address, place)));
    if (operation.getAsInt() == Restoration.PLACE) {
      isOfType |= Restoration.isOurs(view, arguments);
      var places = Optional.of(view.values().inRestored(address, place));
      return new Step.Restore(update, Restoration.stateOf(view, arguments, address, places));
    }
    return new Step.Call(update, operation.getAsInt(), arguments);
  }
}
