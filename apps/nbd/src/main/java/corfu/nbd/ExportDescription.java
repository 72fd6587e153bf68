package corfu.nbd;

import java.util.List;

/** The facts of an export that clients learn in the handshake. Thread-safe; calls do not block. */
public interface ExportDescription {

  /** Returns the facts of the device, with its current size as far as it is known. */
  DeviceInfo info();

  /** Returns whether clients may resize the device. */
  default boolean canResize() {
    return false;
  }

  /**
   * Returns the names of the metadata contexts that a query selects.
   *
   * @param query a name, or a namespace with a colon for all of its names, such as {@code base:}
   */
  List<String> contexts(String query);
}
