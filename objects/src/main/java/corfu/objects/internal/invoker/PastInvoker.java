package corfu.objects.internal.invoker;

import corfu.objects.internal.state.State;
import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.View;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.runtime.CallScope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the calls on an object as it was at an address of the log; nothing can change it. */
public record PastInvoker(View<?> view, Optional<State<?>> state, Address at, PartOpener parts)
    implements ObjectInvoker {

  @Override
  public PartOpener partsHere() {
    return parts;
  }

  @Override
  public Optional<Transactions> ofNow() {
    return Optional.empty();
  }

  @Override
  public @Nullable Object invoke(int place, @Nullable Object[] arguments) throws Throwable {
    checkReads(view, place, at);
    CallScope call = view.client().call();
    try {
      return state.orElseThrow().read(State.NOW, place, arguments);
    } finally {
      call.end();
    }
  }

  static void checkReads(View<?> view, int place, Address at) {
    Operation operation = view.operation(place);
    if (operation.kind() != Operation.Kind.ACCESSOR) {
      throw new UnsupportedOperationException(
          "%s would change %s, but this is how it was at address %s"
              .formatted(operation.name(), view.name(), at));
    }
  }

  @Override
  public @Nullable Object transact(int place, Body body) throws Throwable {
    return body.run();
  }
}
