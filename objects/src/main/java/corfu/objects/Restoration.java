package corfu.objects;

import corfu.objects.record.Update;
import corfu.objects.serial.Input;
import corfu.objects.serial.Output;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An update that makes an object what it was at an earlier address. It holds that state, so that it
 * can be carried out when history is forgotten; views of another type, which can't use it, play the
 * history once more.
 *
 * <p>Its arguments: the address, what can load the state, and the state's values, each with its
 * length before it.
 */
final class Restoration {

  /** What the log calls it; no operation of a class has such a name. */
  static final String OPERATION = "corfu:restore";

  /** In place of an operation's place in its type. */
  static final int PLACE = -1;

  private Restoration() {}

  static boolean is(Update update) {
    return update.operation().equals(OPERATION);
  }

  /** Whether the state that an update restores is one of the view's type. */
  static boolean isOurs(View<?> view, @Nullable Object[] arguments) {
    return arguments.length == 3 && view.type().stateName().equals(arguments[1]);
  }

  /** The update that makes the object what it was at this log address. */
  static <T> Update of(View<T> view, Address before) {
    String what = "the state of object %s at address %s".formatted(view.name(), before);
    Output values = new Output();
    LookAhead ahead =
        new LookAhead(
            view.values(),
            value -> {
              Output one = new Output();
              view.serializer().write(new @Nullable Object[] {value}, one);
              values.writeVarLong(one.size());
              values.writeBuffer(one.toBuffer());
              view.client().access().checkFits(what, values.size());
            });
    try {
      view.snapshots().save(view.at(before).fork(State.NOW), ahead::accept);
      ahead.flush();
    } catch (State.TooNewException e) {
      throw new IllegalStateException("a state of the past has changed", e);
    }
    ByteBuffer state = values.toBuffer();
    byte[] bytes = new byte[state.remaining()];
    state.get(bytes);
    Output arguments = new Output(bytes.length + 64);
    view.serializer()
        .write(new @Nullable Object[] {before.value(), view.type().stateName(), bytes}, arguments);
    return new Update(view.stream(), OPERATION, view.serializer().id(), arguments.toBuffer());
  }

  /**
   * The state that it leaves behind.
   *
   * @param arguments as they are in the log
   * @param places of values that stay there; empty: the update is not in the log yet
   */
  static <T> T stateOf(
      View<T> view,
      @Nullable Object[] arguments,
      Address address,
      Optional<LogValues.RestoredPlaces> places) {
    if (arguments.length != 3
        || !(arguments[0] instanceof Long before)
        || !(arguments[1] instanceof String stateName)
        || !(arguments[2] instanceof byte[])) {
      throw new UndecodableEntryException(
          address,
          "the entry at address %s of object %s restores a state, but is damaged"
              .formatted(address, view.name()));
    }
    if (!stateName.equals(view.type().stateName())) {
      return playedTo(view, new Address(before));
    }
    try {
      return view.snapshots().load(new Values(view, bytesOf(arguments), places));
    } catch (SerializationException | NoSuchElementException e) {
      throw new UndecodableEntryException(
          address,
          "the state that the entry at address %s restores of object %s: %s"
              .formatted(address, view.name(), e.getMessage()),
          e);
    }
  }

  private static <T> T playedTo(View<T> view, Address before) {
    try {
      return view.at(before).fork(State.NOW);
    } catch (State.TooNewException e) {
      throw new IllegalStateException("a state of the past has changed", e);
    }
  }

  /** The values of the state. */
  static ByteBuffer bytesOf(@Nullable Object[] arguments) {
    return arguments.length == 3 && arguments[2] instanceof byte[] bytes
        ? ByteBuffer.wrap(bytes)
        : ByteBuffer.allocate(0);
  }

  private static final class Values implements Iterator<@Nullable Object> {
    private final View<?> view;
    private final Input in;
    private final int size;
    private final Optional<LogValues.RestoredPlaces> places;

    Values(View<?> view, ByteBuffer bytes, Optional<LogValues.RestoredPlaces> places) {
      this.view = view;
      this.in = new Input(bytes);
      this.size = bytes.remaining();
      this.places = places;
    }

    @Override
    public boolean hasNext() {
      return in.remaining() > 0;
    }

    @Override
    public @Nullable Object next() {
      if (!hasNext()) {
        throw new NoSuchElementException("it has fewer values than its type reads");
      }
      int length = in.readCount(1);
      int from = size - in.remaining();
      Input value = new Input(in.readBuffer(length));
      return places.isPresent()
          ? view.serializer().read(value, places.get().from(from))[0]
          : view.serializer().read(value)[0];
    }
  }
}
