package corfu.objects;

import corfu.objects.record.Update;
import corfu.objects.serial.Input;
import corfu.objects.serial.Output;
import corfu.objects.serial.Places;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How calls of an object's operations are said in the log, and understood. Immutable. */
final class Wording {

  private final String name;
  private final StreamId stream;
  private final ObjectType<?> type;
  private final Serializer serializer;
  private final Map<String, Integer> operations = new HashMap<>();

  /**
   * @param name what messages call the object
   */
  Wording(String name, StreamId stream, ObjectType<?> type, Serializer serializer) {
    this.name = name;
    this.stream = stream;
    this.type = type;
    this.serializer = serializer;
    for (int i = 0; i < type.operations().size(); i++) {
      operations.put(type.operations().get(i).name(), i);
    }
  }

  /** The change as the log will have it. */
  Update update(int operation, @Nullable Object[] arguments) {
    type.check(operation, arguments);
    Operation called = type.operations().get(operation);
    Output out = new Output();
    try {
      serializer.write(arguments, out);
    } catch (SerializationException e) {
      throw new SerializationException(
          "an argument of %s of %s: %s".formatted(called.name(), name, e.getMessage()), e);
    }
    return new Update(stream, called.name(), serializer.id(), out.toBuffer());
  }

  /**
   * The place of the operation that an update calls, or {@link Restoration#PLACE}; empty: the type
   * does not have it.
   */
  OptionalInt placeOf(Update update) {
    if (Restoration.is(update)) {
      return OptionalInt.of(Restoration.PLACE);
    }
    @Nullable Integer place = operations.get(update.operation());
    return place != null && type.operations().get(place).kind().changes()
        ? OptionalInt.of(place)
        : OptionalInt.empty();
  }

  /** Why an update can't be carried out whose operation the type does not have. */
  UndecodableEntryException unknown(Update update, Address address) {
    return new UndecodableEntryException(
        address,
        calls(update, address)
            + ": is it opened as another type than it was written as, or has the method been"
            + " renamed or removed?");
  }

  /** The same where the object is of the type: the entry is of a later version of that. */
  UndecodableEntryException later(Update update, Address address) {
    return new UndecodableEntryException(
        address,
        calls(update, address)
            + ": open it as the type, or the version, that has it; or, to go on without it and what"
            + " came behind it, roll it back to address %s".formatted(address));
  }

  /** What the type does not have. */
  String calls(Update update, Address address) {
    return "the entry at address %s of object %s calls %s, which %s does not have"
        .formatted(address, name, update.operation(), type.name());
  }

  /**
   * What it is called with.
   *
   * @param places of values that stay in the log; empty: the update is not there, or not to stay
   */
  @Nullable Object[] argumentsOf(Update update, Address address, Optional<Places> places) {
    try {
      if (update.serializer() != serializer.id()) {
        throw new SerializationException(
            "serializer %d wrote it, but this client uses serializer %d"
                .formatted(update.serializer(), serializer.id()));
      }
      Input in = new Input(update.arguments());
      return places.isPresent() ? serializer.read(in, places.get()) : serializer.read(in);
    } catch (SerializationException e) {
      throw new UndecodableEntryException(
          address,
          "the arguments of %s at address %s of object %s: %s"
              .formatted(update.operation(), address, name, e.getMessage()),
          e);
    }
  }
}
