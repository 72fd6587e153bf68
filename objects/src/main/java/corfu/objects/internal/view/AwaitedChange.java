package corfu.objects.internal.view;

import corfu.objects.ObjectException;
import corfu.objects.ResultUnknownException;
import corfu.objects.internal.client.PendingCalls;
import corfu.objects.internal.state.Outcome;
import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import org.jspecify.annotations.Nullable;

/** A change of an object whose caller waits for what comes of it. */
public final class AwaitedChange {

  private AwaitedChange() {}

  /**
   * Appends a change unless something that it relies on has changed, and waits for what comes of
   * it.
   *
   * @throws ResultUnknownException if it is in the log, but could not be played in time
   */
  public static @Nullable Object of(
      View<?> view, int operation, @Nullable Object[] arguments, Precondition precondition)
      throws Throwable {
    PendingCalls calls = view.client().calls();
    CallId call = calls.next();
    PendingCalls.Waiting waiting = calls.await(call, view.context());
    try {
      Address address = view.changes().append(call, operation, arguments, precondition);
      String what = view.operation(operation).name();
      try {
        if (waiting.outcome() == null) {
          view.playOwn();
        }
        if (waiting.outcome() == null) {
          view.playTo(view.client().streamEnds().ask(view));
        }
      } catch (CorfuException | ObjectException notRead) {
        if (waiting.outcome() == null) {
          throw view.typeCheck().notToldOf(what, address, notRead);
        }
      }
      Outcome outcome = waiting.outcome();
      if (outcome != null) {
        return outcome.get();
      }
      if (view.begins() > 0 && view.begins() >= address.value()) {
        throw new ResultUnknownException(
            what,
            view.name(),
            address,
            "this client's view goes on at address %d".formatted(view.begins()));
      }
      throw new IllegalStateException(
          "the change at address %s of %s was appended, but playing the stream did not meet it"
              .formatted(address, view.name()));
    } finally {
      calls.forget(call);
    }
  }
}
