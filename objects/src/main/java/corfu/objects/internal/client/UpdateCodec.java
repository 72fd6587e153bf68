package corfu.objects.internal.client;

import corfu.objects.UndecodableEntryException;
import corfu.objects.record.Update;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.Serializer;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueLocator;
import corfu.objects.serial.ValueOutput;
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
public final class UpdateCodec {

  private final String name;
  private final StreamId stream;
  private final ObjectType<?> type;
  private final Serializer serializer;
  private final Map<String, Integer> operations = new HashMap<>();

  /**
   * @param name what messages call the object
   */
  UpdateCodec(String name, StreamId stream, ObjectType<?> type, Serializer serializer) {
    this.name = name;
    this.stream = stream;
    this.type = type;
    this.serializer = serializer;
    for (int i = 0; i < type.operations().size(); i++) {
      operations.put(type.operations().get(i).name(), i);
    }
  }

  /** The change as the log will have it. */
  public Update update(int operation, @Nullable Object[] arguments) {
    type.check(operation, arguments);
    Operation called = type.operations().get(operation);
    ValueOutput out = new ValueOutput();
    try {
      serializer.write(arguments, out);
    } catch (SerializationException e) {
      throw new SerializationException(
          "an argument of %s of %s: %s".formatted(called.name(), name, e.getMessage()), e);
    }
    return new Update(stream, called.name(), serializer.id(), out.toBuffer());
  }

  /**
   * The place of the operation that an update calls, or {@link RestoringUpdate#PLACE}; empty: the
   * type does not have it.
   */
  public OptionalInt placeOf(Update update) {
    if (RestoringUpdate.is(update)) {
      return OptionalInt.of(RestoringUpdate.PLACE);
    }
    @Nullable Integer place = operations.get(update.operation());
    return place != null && type.operations().get(place).kind().changes()
        ? OptionalInt.of(place)
        : OptionalInt.empty();
  }

  /** Why an update can't be carried out whose operation the type does not have. */
  public UndecodableEntryException unknown(Update update, Address address) {
    return new UndecodableEntryException(
        address,
        calls(update, address)
            + ": is it opened as another type than it was written as, or has the method been"
            + " renamed or removed?");
  }

  /** The same where the object is of the type: the entry is of a later version of that. */
  public UndecodableEntryException later(Update update, Address address) {
    return new UndecodableEntryException(
        address,
        calls(update, address)
            + ": open it as the type, or the version, that has it; or, to go on without it and what"
            + " came behind it, roll it back to address %s".formatted(address));
  }

  /** Returns a message about an update whose operation the type does not have. */
  String calls(Update update, Address address) {
    return "the entry at address %s of object %s calls %s, which %s does not have"
        .formatted(address, name, update.operation(), type.name());
  }

  /**
   * Returns the arguments of an update.
   *
   * @param places the places of values that stay in the log, or empty if the update is not in the
   *     log or is not to stay there
   */
  public @Nullable Object[] argumentsOf(
      Update update, Address address, Optional<ValueLocator> places) {
    try {
      if (update.serializer() != serializer.id()) {
        throw new SerializationException(
            "serializer %d wrote it, but this client uses serializer %d"
                .formatted(update.serializer(), serializer.id()));
      }
      ValueInput in = new ValueInput(update.arguments());
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
