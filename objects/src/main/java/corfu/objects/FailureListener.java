package corfu.objects;

import corfu.protocol.Address;
import org.slf4j.LoggerFactory;

/** Receives the failures of changes whose callers did not wait for the result. */
@FunctionalInterface
public interface FailureListener {

  /** Logs a warning. */
  FailureListener LOGGING =
      (object, operation, address, failure) ->
          LoggerFactory.getLogger(FailureListener.class)
              .warn("{} at address {} did nothing to {}", operation, address, object, failure);

  /**
   * Called once for each such change of this client, on a thread that views the object. The method
   * must neither block nor call objects.
   *
   * @param object the name under which the object was opened
   * @param operation the operation's name in the log
   * @param address the log address of the change's entry
   * @param failure the exception of the operation; the object is as it was before
   */
  void failed(String object, String operation, Address address, Throwable failure);
}
