package corfu.objects.internal.client;

import corfu.objects.record.Update;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How an update that restores an earlier state looks in the log. Its arguments: the address, what
 * can load the state, and the state's values, each with its length before it.
 */
public final class RestoringUpdate {

  /** The update's operation in the log; no operation of a class has such a name. */
  public static final String OPERATION = "corfu:restore";

  /** In place of an operation's place in its type. */
  public static final int PLACE = -1;

  private RestoringUpdate() {}

  public static boolean is(Update update) {
    return update.operation().equals(OPERATION);
  }

  /** Returns the values of the state, or none if these are not the arguments of such an update. */
  public static ByteBuffer bytesOf(@Nullable Object[] arguments) {
    return arguments.length == 3 && arguments[2] instanceof byte[] bytes
        ? ByteBuffer.wrap(bytes)
        : ByteBuffer.allocate(0);
  }
}
