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
 * @param checkpoints when this client writes checkpoints, and what history it keeps
 * @param onDivergence told where a state of this client is another than that of a checkpoint
 * @param mutatorCall when calls of mutators return, and who is told if they throw
 */
public record ObjectOptions(
    Serializer serializer,
    List<Type> types,
    FailureListener onFailure,
    CheckpointPolicy checkpoints,
    DivergenceListener onDivergence,
    MutatorCall mutatorCall) {

  /**
   * The standard serializer; failures are logged as warnings, differences between states as errors;
   * checkpoints now and then, and all history is kept.
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

  /** Objects may hold these, too. */
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

  /** Whether callers of mutators wait for what comes of them. */
  public ObjectOptions withMutatorCall(MutatorCall call) {
    return new ObjectOptions(serializer, types, onFailure, checkpoints, onDivergence, call);
  }
}
