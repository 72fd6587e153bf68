package corfu.objects.internal.view;

import corfu.objects.CatalogueState;
import corfu.objects.UpdateRefusedException;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.record.Catalogued;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the entries of a stream to operations of a view's type, one entry after the other. All
 * updates of an entry are understood before any of them is carried out. For one thread.
 *
 * <p>An update whose operation the type does not have is refused if it can't be an operation of the
 * type: it does nothing, and the view continues. Each update of an entry is refused on its own,
 * also in a transaction: a view that plays another object of the transaction knows nothing of this
 * object's type. Nothing is refused before the stream has shown that it is of the type: until then,
 * the view has the wrong type, not the update.
 */
final class UpdateResolver<T> {

  private final PlayedObject<T> object;
  private final ObjectContext<T> context;
  private boolean isOfType;
  private boolean isOfAnotherType;

  UpdateResolver(PlayedObject<T> object) {
    this.object = object;
    this.context = object.context();
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
   * Returns the steps by which an entry changes the object.
   *
   * @throws UndecodableEntryException if this client does not understand the entry
   */
  List<ResolvedUpdate> of(Address address, Updates record) {
    return of(address, record, 0);
  }

  /** Returns the steps of the entry's updates from this update on. */
  List<ResolvedUpdate> of(Address address, Updates record, int from) {
    List<ResolvedUpdate> steps = new ArrayList<>(1);
    for (int i = from; i < record.updates().size(); i++) {
      if (record.updates().get(i).object().equals(context.stream())) {
        steps.add(step(address, record.updates().get(i), i));
      }
    }
    return steps;
  }

  private ResolvedUpdate step(Address address, Update update, int place) {
    OptionalInt operation = context.codec().placeOf(update);
    if (operation.isEmpty()) {
      if (isOfType && object.typeCheck().isForeign(update)) {
        return new ResolvedUpdate.Refuse(
            update,
            UpdateRefusedException.of(context.name(), context.type().name(), update, address));
      }
      isOfAnotherType = !isOfType;
      throw isOfType
          ? context.codec().later(update, address)
          : context.codec().unknown(update, address);
    }
    isOfType |=
        operation.getAsInt() != RestoringUpdate.PLACE
            && context.type().identifies(update.operation());
    @Nullable Object[] arguments =
        context
            .codec()
            .argumentsOf(update, address, Optional.of(object.values().inUpdate(address, place)));
    if (operation.getAsInt() == RestoringUpdate.PLACE) {
      isOfType |= Restoration.isOurs(context, arguments);
      var places = Optional.of(object.values().inRestored(address, place));
      return new ResolvedUpdate.Restore(
          update, Restoration.stateOf(object, arguments, address, places));
    }
    return new ResolvedUpdate.Call(update, operation.getAsInt(), arguments);
  }

  /** Returns the changes of an entry of the catalogue. */
  Updates of(Catalogued entry) {
    @Nullable Object[] arguments = {entry.object(), entry.name(), entry.type()};
    return new Updates(
        entry.call(),
        entry.wallTimeMillis(),
        List.of(context.codec().update(CatalogueState.ENTER, arguments)));
  }
}
