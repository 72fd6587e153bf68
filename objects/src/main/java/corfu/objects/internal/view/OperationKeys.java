package corfu.objects.internal.view;

import corfu.objects.type.KeyHash;
import corfu.objects.type.Operation;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which part of an object an operation is about, as sequencers are told. */
public final class OperationKeys {

  /** A call that names more keys is about the whole object. */
  public static final int MOST_KEYS = 256;

  private OperationKeys() {}

  /** Empty: the whole object. */
  static List<@Nullable Object> keys(Operation operation, @Nullable Object[] arguments) {
    Optional<Operation.Keys> keys = operation.keys();
    if (keys.isEmpty()) {
      return List.of();
    }
    return limited(keys.get().of(arguments));
  }

  /**
   * Returns the keys that a call of a transaction has read, or an empty list for the whole object.
   */
  public static List<@Nullable Object> read(Operation operation, Operation.Made call) {
    Optional<Operation.Keys> keys = operation.keys();
    if (keys.isEmpty()) {
      return List.of();
    }
    return limited(keys.get().read(call));
  }

  private static List<@Nullable Object> limited(List<@Nullable Object> keys) {
    if (keys.size() > MOST_KEYS) {
      return List.of();
    }
    return keys;
  }

  static StreamPart part(StreamId stream, Operation operation, @Nullable Object[] arguments) {
    return new StreamPart(
        stream, keys(operation, arguments).stream().map(KeyHash::of).distinct().toList());
  }
}
