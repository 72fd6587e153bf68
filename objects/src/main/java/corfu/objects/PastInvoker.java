package corfu.objects;

import corfu.objects.type.Invoker;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import org.jspecify.annotations.Nullable;

/** Takes the calls on an object as it was at an address of the log; nothing can change it. */
record PastInvoker(View<?> view, State<?> state, Address at) implements Invoker {

  @Override
  public @Nullable Object invoke(int place, @Nullable Object[] arguments) throws Throwable {
    Operation operation = view.operation(place);
    if (operation.kind() != Operation.Kind.ACCESSOR) {
      throw new UnsupportedOperationException(
          "%s would change %s, but this is how it was at address %s"
              .formatted(operation.name(), view.name(), at));
    }
    return state.read(State.NOW, place, arguments);
  }

  @Override
  public @Nullable Object transact(int place, Body body) throws Throwable {
    return body.run();
  }
}
