package corfu.objects;

import corfu.objects.serial.Serializer;
import corfu.objects.serial.StandardSerializer;
import java.lang.reflect.Type;
import java.util.List;

/**
 * How a client uses objects.
 *
 * @param serializer writes arguments and states
 * @param types what values objects may hold beyond those that their operations declare: such as the
 *     classes of a map's keys and values
 * @param onFailure told of changes of this client that threw when they were carried out, whose
 *     callers had gone on
 */
public record ObjectOptions(Serializer serializer, List<Type> types, FailureListener onFailure) {

  /** The standard serializer; failures are logged as warnings. */
  public static final ObjectOptions DEFAULT =
      new ObjectOptions(StandardSerializer.create(), List.of(), FailureListener.LOGGING);

  public ObjectOptions {
    types = List.copyOf(types);
  }

  public ObjectOptions withSerializer(Serializer other) {
    return new ObjectOptions(other, types, onFailure);
  }

  /** Objects may hold these, too. */
  public ObjectOptions withTypes(Type... others) {
    return new ObjectOptions(serializer, List.of(others), onFailure);
  }

  public ObjectOptions withOnFailure(FailureListener listener) {
    return new ObjectOptions(serializer, types, listener);
  }
}
