package corfu.peers.load;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A load whose appends complete at once, or fail if its argument is "refuse". */
public final class FakeLoad {

  private FakeLoad() {}

  public static void main(String[] arguments) throws Exception {
    boolean refuses = List.of(arguments).contains("refuse");
    LoadDriver.serve(
        () -> {
          PrintStream chatter = System.out;
          chatter.println("a library that greets everybody");
          return (payload, isLone) ->
              () -> {
                chatter.println("and says what it does");
                return refuses
                    ? CompletableFuture.failedFuture(new IOException("no room"))
                    : CompletableFuture.completedFuture(null);
              };
        });
  }
}
