package corfu.sim.world;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;

/**
 * Virtual threads with a custom scheduler. The JDK has them, but does not export them. This is the
 * only class that uses the JDK's internals, and it needs the flag {@value #FLAG}.
 *
 * <p>Without {@code -Djdk.trackAllThreads=false} the JDK keeps threads that never end: all threads
 * of killed processes.
 */
final class VirtualThreads {

  private static final String FLAG = "--add-opens java.base/java.lang=ALL-UNNAMED";
  private static final MethodHandle NEW = find();

  private VirtualThreads() {}

  /** Starts a thread that runs each step, from one park to the next, as a task of the executor. */
  static Thread start(String name, Executor steps, Runnable body) {
    try {
      Thread thread = (Thread) NEW.invokeExact(steps, name, 0, body);
      thread.start();
      return thread;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot start a virtual thread of our own", e);
    }
  }

  private static MethodHandle find() {
    try {
      Method method =
          Class.forName("java.lang.ThreadBuilders")
              .getDeclaredMethod(
                  "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "this JVM does not let the simulator run virtual threads; start it with " + FLAG, e);
    }
  }
}
