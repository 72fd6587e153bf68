package corfu.objects;

import corfu.protocol.Address;
import org.slf4j.LoggerFactory;

/** Is told of changes that nobody waited for, and that threw when they were carried out. */
@FunctionalInterface
public interface FailureListener {

  /** Writes a warning. */
  FailureListener LOGGING =
      (object, operation, address, failure) ->
          LoggerFactory.getLogger(FailureListener.class)
              .warn("{} at address {} did nothing to {}", operation, address, object, failure);

  /**
   * Called once for each such change of this client, on a thread that views the object: it must
   * neither block nor call objects.
   *
   * @param object what it was opened as
   * @param operation what the log calls it
   * @param address of the entry
   * @param failure what it threw; the object is as it was before
   */
  void failed(String object, String operation, Address address, Throwable failure);
}
