package corfu.objects;

import corfu.objects.type.Invoker;
import corfu.objects.type.Operation;
import corfu.runtime.CallScope;
import org.jspecify.annotations.Nullable;

/** Takes the calls on an object as it is now: in the thread's transaction if there is one. */
record LiveInvoker(View<?> view, Transactions transactions, ReplicatedObjects objects)
    implements Invoker {

  @Override
  public @Nullable Object invoke(int place, @Nullable Object[] arguments) throws Throwable {
    CallScope call = view.client().call();
    try {
      return invoked(place, arguments);
    } finally {
      call.end();
    }
  }

  private @Nullable Object invoked(int place, @Nullable Object[] arguments) throws Throwable {
    Transaction transaction = transactions.current();
    if (transaction != null) {
      return transaction.invoke(view, place, arguments);
    }
    Routing routing = transactions.routing();
    if (routing != null) {
      return routing.invoke(view, place, arguments);
    }
    Operation operation = view.operation(place);
    return switch (operation.kind()) {
      case ACCESSOR -> view.read(place, arguments);
      case MUTATOR_ACCESSOR -> view.change(place, arguments);
      case MUTATOR -> {
        if (view.client().options().mutatorCall() == MutatorCall.RETURNS_WHEN_CARRIED_OUT) {
          yield view.change(place, arguments);
        }
        view.write(place, arguments);
        yield null;
      }
      case TRANSACTION, READ_ONLY_TRANSACTION ->
          throw new IllegalArgumentException(operation.name() + " is no operation on a state");
    };
  }

  @Override
  public @Nullable Object transact(int place, Body body) throws Throwable {
    return transactions.runMethod(view.operation(place), body);
  }
}
