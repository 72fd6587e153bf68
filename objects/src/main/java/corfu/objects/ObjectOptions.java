package corfu.objects;

import corfu.objects.serial.Serializer;
import corfu.objects.serial.StandardSerializer;
import java.lang.reflect.Type;
import java.util.List;

/**
 * The options of a client's objects.
 *
 * @param serializer the serializer of arguments and states
 * @param types classes of values that objects may hold beyond the classes that their operations
 *     declare, such as the classes of a map's keys and values
 * @param onFailure the listener for changes of this client that threw when they were applied, and
 *     whose callers did not wait
 * @param checkpoints the policy of this client's checkpoints and of the history that it keeps
 * @param onDivergence the listener for differences between this client's state and a checkpoint's
 *     state
 * @param mutatorCall when calls of mutators return, and whether their callers receive exceptions
 */
public record ObjectOptions(
    Serializer serializer,
    List<Type> types,
    FailureListener onFailure,
    CheckpointPolicy checkpoints,
    DivergenceListener onDivergence,
    MutatorCall mutatorCall) {

  /**
   * The standard serializer. Failures are logged as warnings, and differences between states as
   * errors. Checkpoints are written now and then, and all history is kept.
   */
  public static final ObjectOptions DEFAULT =
      new ObjectOptions(
          StandardSerializer.create(),
          List.of(),
          FailureListener.LOGGING,
          CheckpointPolicy.DEFAULT,
          DivergenceListener.LOGGING,
          MutatorCall.RETURNS_WHEN_DURABLE);

  public ObjectOptions {
    types = List.copyOf(types);
  }

  public ObjectOptions withSerializer(Serializer other) {
    return new ObjectOptions(other, types, onFailure, checkpoints, onDivergence, mutatorCall);
  }

  /** Returns these options with more classes that objects may hold. */
  public ObjectOptions withTypes(Type... others) {
    return new ObjectOptions(
        serializer, List.of(others), onFailure, checkpoints, onDivergence, mutatorCall);
  }

  public ObjectOptions withOnFailure(FailureListener listener) {
    return new ObjectOptions(serializer, types, listener, checkpoints, onDivergence, mutatorCall);
  }

  public ObjectOptions withCheckpoints(CheckpointPolicy policy) {
    return new ObjectOptions(serializer, types, onFailure, policy, onDivergence, mutatorCall);
  }

  public ObjectOptions withOnDivergence(DivergenceListener listener) {
    return new ObjectOptions(serializer, types, onFailure, checkpoints, listener, mutatorCall);
  }

  /** Returns these options with this time at which calls of mutators return. */
  public ObjectOptions withMutatorCall(MutatorCall call) {
    return new ObjectOptions(serializer, types, onFailure, checkpoints, onDivergence, call);
  }
}
