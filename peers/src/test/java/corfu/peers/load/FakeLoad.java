package corfu.peers.load;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A load whose appends are done at once, or never well if it is told "refuse". */
public final class FakeLoad {

  private FakeLoad() {}

  public static void main(String[] arguments) throws IOException {
    boolean refuses = List.of(arguments).contains("refuse");
    LoadDriver.serve(
        (payload, isLone) -> {
          System.out.println("and one that says what it does");
          return () ->
              refuses
                  ? CompletableFuture.failedFuture(new IOException("no room"))
                  : CompletableFuture.completedFuture(null);
        });
  }
}
