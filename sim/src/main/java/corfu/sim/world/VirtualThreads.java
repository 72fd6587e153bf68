package corfu.sim.world;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;

/**
 * Virtual threads that run where we say. The JDK has them, but does not show them: this is the one
 * place that looks inside, and it needs the flag {@value #FLAG}. Without {@code
 * -Djdk.trackAllThreads=false} the JDK keeps those that never end: all that processes had when they
 * were killed.
 */
final class VirtualThreads {

  private static final String FLAG = "--add-opens java.base/java.lang=ALL-UNNAMED";
  private static final MethodHandle NEW = find();

  private VirtualThreads() {}

  /** A thread whose every step, from one park to the next, is a task of the executor. */
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
