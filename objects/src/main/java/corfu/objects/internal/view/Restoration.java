package corfu.objects.internal.view;

import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.internal.state.State;
import corfu.objects.internal.value.LogValues;
import corfu.objects.internal.value.ValuePrefetcher;
import corfu.objects.record.Update;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An update that makes an object what it was at an earlier address. It holds that state, so that it
 * can be carried out when history is forgotten; views of another type, which can't use it, play the
 * history once more. {@link RestoringUpdate} says how it looks in the log.
 */
public final class Restoration {

  private Restoration() {}

  /** Whether the state that an update restores is one of the object's type. */
  static boolean isOurs(ObjectContext<?> object, @Nullable Object[] arguments) {
    return arguments.length == 3 && object.type().stateName().equals(arguments[1]);
  }

  /** The update that makes the object what it was at this log address. */
  public static <T> Update of(PlayedObject<T> object, Address before) {
    String what = "the state of object %s at address %s".formatted(object.context().name(), before);
    ValueOutput values = new ValueOutput();
    ValuePrefetcher ahead =
        new ValuePrefetcher(
            object.values(),
            value -> {
              ValueOutput one = new ValueOutput();
              object.context().serializer().write(new @Nullable Object[] {value}, one);
              values.writeVarLong(one.size());
              values.writeBuffer(one.toBuffer());
              object.context().client().access().checkFits(what, values.size());
            });
    try {
      object.context().snapshots().save(object.at(before).fork(State.NOW), ahead::accept);
      ahead.flush();
    } catch (State.TooNewException e) {
      throw new IllegalStateException("a state of the past has changed", e);
    }
    ByteBuffer state = values.toBuffer();
    byte[] bytes = new byte[state.remaining()];
    state.get(bytes);
    ValueOutput arguments = new ValueOutput(bytes.length + 64);
    object
        .context()
        .serializer()
        .write(
            new @Nullable Object[] {before.value(), object.context().type().stateName(), bytes},
            arguments);
    return new Update(
        object.context().stream(),
        RestoringUpdate.OPERATION,
        object.context().serializer().id(),
        arguments.toBuffer());
  }

  /**
   * The state that it leaves behind.
   *
   * @param arguments as they are in the log
   * @param places of values that stay there; empty: the update is not in the log yet
   */
  static <T> T stateOf(
      PlayedObject<T> object,
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
              .formatted(address, object.context().name()));
    }
    if (!stateName.equals(object.context().type().stateName())) {
      return playedTo(object, new Address(before));
    }
    try {
      return object
          .context()
          .snapshots()
          .load(new Values(object.context(), RestoringUpdate.bytesOf(arguments), places));
    } catch (SerializationException | NoSuchElementException e) {
      throw new UndecodableEntryException(
          address,
          "the state that the entry at address %s restores of object %s: %s"
              .formatted(address, object.context().name(), e.getMessage()),
          e);
    }
  }

  private static <T> T playedTo(PlayedObject<T> object, Address before) {
    try {
      return object.at(before).fork(State.NOW);
    } catch (State.TooNewException e) {
      throw new IllegalStateException("a state of the past has changed", e);
    }
  }

  private static final class Values implements Iterator<@Nullable Object> {
    private final ObjectContext<?> object;
    private final ValueInput in;
    private final int size;
    private final Optional<LogValues.RestoredPlaces> places;

    Values(ObjectContext<?> object, ByteBuffer bytes, Optional<LogValues.RestoredPlaces> places) {
      this.object = object;
      this.in = new ValueInput(bytes);
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
      ValueInput value = new ValueInput(in.readBuffer(length));
      return places.isPresent()
          ? object.serializer().read(value, places.get().from(from))[0]
          : object.serializer().read(value)[0];
    }
  }
}
