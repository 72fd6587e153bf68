package corfu.objects.internal.invoker;

import corfu.objects.MutatorCall;
import corfu.objects.internal.transaction.OptimisticRoute;
import corfu.objects.internal.transaction.Transaction;
import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.AwaitedChange;
import corfu.objects.internal.view.Precondition;
import corfu.objects.internal.view.View;
import corfu.objects.type.Operation;
import corfu.runtime.CallScope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the calls on an object as it is now: in the thread's transaction if there is one. */
public record LiveInvoker(View<?> view, Transactions transactions, PartOpener parts)
    implements ObjectInvoker {

  @Override
  public PartOpener partsHere() {
    return parts;
  }

  @Override
  public Optional<Transactions> ofNow() {
    return Optional.of(transactions);
  }

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
    OptimisticRoute route = transactions.currentRoute();
    if (route != null) {
      return route.invoke(view, place, arguments);
    }
    Operation operation = view.operation(place);
    return switch (operation.kind()) {
      case ACCESSOR -> view.read(place, arguments);
      case MUTATOR_ACCESSOR -> AwaitedChange.of(view, place, arguments, Precondition.NONE);
      case MUTATOR -> {
        if (view.client().options().mutatorCall() == MutatorCall.RETURNS_WHEN_CARRIED_OUT) {
          yield AwaitedChange.of(view, place, arguments, Precondition.NONE);
        }
        view.changes().write(place, arguments);
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
