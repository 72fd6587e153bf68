package corfu.objects.internal.value;

import corfu.objects.serial.ContentDigest;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;

/** Finds values of an object whose entries have been forgotten. */
public interface ValueSearch {

  /**
   * Looks for values that stay in the log, in the newest checkpoint first. Goes through all of it.
   *
   * @param found receives the values that checkpoints have
   * @return the newest checkpoint's log address, or 0 if there is none
   */
  long find(Set<ContentDigest> wanted, Map<ContentDigest, ByteBuffer> found);

  /** Returns the history that the newest checkpoint's writer keeps, for messages. */
  String history();
}
