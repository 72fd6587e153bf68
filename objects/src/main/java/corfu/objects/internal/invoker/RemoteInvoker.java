package corfu.objects.internal.invoker;

import corfu.objects.MutatorCall;
import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.transaction.OptimisticRoute;
import corfu.objects.internal.transaction.Transaction;
import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.View;
import corfu.objects.type.Operation;
import corfu.runtime.CallScope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the calls on an object that servers play: in the thread's transaction if there is one. */
public record RemoteInvoker(
    RemoteView<?> remote, Transactions transactions, PartOpener parts, PartOpener partsHere)
    implements ObjectInvoker {

  @Override
  public View<?> view() {
    return remote.view();
  }

  @Override
  public Optional<Transactions> ofNow() {
    return Optional.of(transactions);
  }

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
    OptimisticRoute route = transactions.currentRoute();
    if (route != null) {
      return route.invoke(remote, place, arguments);
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
