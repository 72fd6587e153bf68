package corfu.objects;

import corfu.objects.type.Invoker;
import corfu.objects.type.Operation;
import corfu.runtime.CallScope;
import org.jspecify.annotations.Nullable;

/** Takes the calls on an object that servers play: in the thread's transaction if there is one. */
record RemoteInvoker(RemoteView<?> remote, Transactions transactions, RemoteObjects objects)
    implements Invoker {

  @Override
  public @Nullable Object invoke(int place, @Nullable Object[] arguments) throws Throwable {
    CallScope call = remote.view().client().call();
    try {
      return invoked(place, arguments);
    } finally {
      call.end();
    }
  }

  private @Nullable Object invoked(int place, @Nullable Object[] arguments) throws Throwable {
    Transaction transaction = transactions.current();
    if (transaction != null) {
      return transaction.invoke(remote, place, arguments);
    }
    Routing routing = transactions.routing();
    if (routing != null) {
      return routing.invoke(remote, place, arguments);
    }
    View<?> view = remote.view();
    Operation operation = view.operation(place);
    return switch (operation.kind()) {
      case ACCESSOR -> remote.read(place, arguments);
      case MUTATOR_ACCESSOR -> remote.change(place, arguments);
      case MUTATOR -> {
        if (view.client().options().mutatorCall() == MutatorCall.RETURNS_WHEN_CARRIED_OUT) {
          yield remote.change(place, arguments);
        }
        remote.write(place, arguments);
        yield null;
      }
      case TRANSACTION, READ_ONLY_TRANSACTION ->
          throw new IllegalArgumentException(operation.name() + " is no operation on a state");
    };
  }

  @Override
  public @Nullable Object transact(int place, Body body) throws Throwable {
    return transactions.runMethod(remote.view().operation(place), body);
  }
}
