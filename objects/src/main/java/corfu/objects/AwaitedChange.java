package corfu.objects;

import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import org.jspecify.annotations.Nullable;

/** A change of an object whose caller waits for what comes of it. */
final class AwaitedChange {

  private AwaitedChange() {}

  /**
   * Appends a change unless something that it relies on has changed, and waits for what comes of
   * it.
   *
   * @throws ResultUnknownException if it is in the log, but could not be played in time
   */
  static @Nullable Object of(View<?> view, int operation, @Nullable Object[] arguments, Guard guard)
      throws Throwable {
    Calls calls = view.client().calls();
    CallId call = calls.next();
    Calls.Waiting waiting = calls.await(call, view);
    try {
      Address address = view.append(call, operation, arguments, guard);
      String what = view.operation(operation).name();
      try {
        if (waiting.outcome() == null) {
          view.playOwn();
        }
        if (waiting.outcome() == null) {
          view.playTo(view.client().tails().ask(view));
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
