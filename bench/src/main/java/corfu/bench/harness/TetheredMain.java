package corfu.bench.harness;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class in a process that ends with its parent: the process halts at the end of
 * its standard input. The first argument is the main class, the others are its arguments.
 */
public final class TetheredMain {

  private TetheredMain() {}

  /** Starts the main class. */
  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().name("tether").start(TetheredMain::haltAtEndOfInput);
    var program = Class.forName(arguments[0]).getMethod("main", String[].class);
    try {
      var _ = program.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void haltAtEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // no input is expected
      }
    } catch (IOException ended) {
      // an unreadable input has ended, too
    }
    Runtime.getRuntime().halt(0);
  }
}
