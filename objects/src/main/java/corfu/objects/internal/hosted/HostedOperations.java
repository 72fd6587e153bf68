package corfu.objects.internal.hosted;

import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.record.Update;
import corfu.objects.remote.ViewCall;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operations of a hosted object, as clients name them. Immutable. */
final class HostedOperations {

  private final ObjectContext<?> object;
  private final Map<String, Integer> places = new HashMap<>();

  /** An operation that is called, with its arguments. */
  static final class Called {
    final int place;
    final @Nullable Object[] arguments;

    Called(int place, @Nullable Object[] arguments) {
      this.place = place;
      this.arguments = arguments;
    }
  }

  /** The object has no such operation, or the arguments can't be read. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super(why, null, false, false);
    }
  }

  HostedOperations(ObjectContext<?> object) {
    this.object = object;
    List<Operation> operations = object.type().operations();
    for (int i = 0; i < operations.size(); i++) {
      places.put(operations.get(i).name(), i);
    }
  }

  /**
   * Returns the operation that a call names.
   *
   * @throws RefusedException if there is none, or if it is a transaction
   */
  Called called(ViewCall call) {
    Integer place = places.get(call.operation());
    if (place == null || isTransaction(object.operation(place))) {
      throw new RefusedException(
          "%s has no operation %s here; is the host's class an older one?"
              .formatted(object.type().name(), call.operation()));
    }
    Update update =
        new Update(object.stream(), call.operation(), call.serializer(), call.arguments());
    try {
      return new Called(
          place, object.codec().argumentsOf(update, new Address(0), Optional.empty()));
    } catch (UndecodableEntryException arguments) {
      throw new RefusedException(String.valueOf(arguments.getMessage()));
    }
  }

  private static boolean isTransaction(Operation operation) {
    return switch (operation.kind()) {
      case ACCESSOR, MUTATOR, MUTATOR_ACCESSOR -> false;
      case TRANSACTION, READ_ONLY_TRANSACTION -> true;
    };
  }
}
