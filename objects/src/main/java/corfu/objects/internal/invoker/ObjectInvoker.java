package corfu.objects.internal.invoker;

import corfu.objects.internal.transaction.Transactions;
import corfu.objects.internal.view.View;
import corfu.objects.type.Invoker;
import corfu.objects.type.Replica;
import java.util.Optional;

/** Takes the calls on an object that was opened. */
public sealed interface ObjectInvoker extends Invoker
    permits LiveInvoker, PastInvoker, RemoteInvoker, RemotePastInvoker {

  /** Returns this client's view of the object. */
  View<?> view();

  /** Opens parts of the object. */
  PartOpener parts();

  /** Opens parts of the object that this client plays, even if servers play the rest. */
  PartOpener partsHere();

  /** Returns the transactions that can change the object, or nothing if it is one of the past. */
  Optional<Transactions> ofNow();

  /**
   * Returns the invoker of an object.
   *
   * @throws IllegalArgumentException if the object was not opened
   */
  static ObjectInvoker of(Object object) {
    if (object instanceof Replica replica
        && replica.corfuInvoker() instanceof ObjectInvoker invoker) {
      return invoker;
    }
    throw new IllegalArgumentException(
        "a " + object.getClass().getName() + " is no replicated object: open it first");
  }

  /** Returns this client's view of an object that was opened. */
  static View<?> viewOf(Object object) {
    return of(object).view();
  }
}
