package corfu.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.runtime.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AppendPipelineTest {

  private final SlowLog log = new SlowLog();
  private final List<Address> told = new ArrayList<>();
  private final CountDownLatch firstTold = new CountDownLatch(1);

  private final AppendPipeline.Receipts<Address> receipts =
      new AppendPipeline.Receipts<>() {
        @Override
        public void acknowledged(Address address) {
          told.add(address);
        }

        @Override
        public void pause() {
          if (!told.isEmpty()) {
            firstTold.countDown();
          }
        }
      };

  @Test
  void addressesAreToldInTheOrderOfTheEntriesWhateverOrderTheyAreAcknowledgedIn()
      throws InterruptedException {
    var pipeline = new AppendPipeline<>(log::appendAsync, receipts);
    for (int i = 1; i <= 3; i++) {
      pipeline.send(i, new byte[0]);
    }

    log.pending.get(2).complete(new Address(7));
    log.pending.get(0).complete(new Address(9));
    log.pending.get(1).complete(new Address(8));

    assertThat(pipeline.finish()).isEmpty();
    assertThat(told).containsExactly(new Address(9), new Address(8), new Address(7));
  }

  @Test
  void anEntryIsToldBeforeTheNextOneIsAcknowledged() throws InterruptedException {
    var pipeline = new AppendPipeline<>(log::appendAsync, receipts);
    pipeline.send(1, new byte[0]);
    pipeline.send(2, new byte[0]);

    log.pending.get(0).complete(new Address(0));
    firstTold.await();

    assertThat(told).containsExactly(new Address(0));
    log.pending.get(1).complete(new Address(1));
    assertThat(pipeline.finish()).isEmpty();
  }

  @Test
  void behindAFailureNothingIsSentButWhatWasSentIsStillTold() throws InterruptedException {
    var pipeline = new AppendPipeline<>(log::appendAsync, receipts);
    for (int i = 1; i <= 3; i++) {
      pipeline.send(i, new byte[0]);
    }

    log.pending.get(0).completeExceptionally(new UnavailableException("nobody there"));
    log.pending.get(1).complete(new Address(5));
    firstTold.await();

    assertThat(pipeline.send(4, new byte[0])).isFalse();
    log.pending.get(2).completeExceptionally(new UnavailableException("nobody there"));
    assertThat(pipeline.finish())
        .hasValueSatisfying(
            failed -> {
              assertThat(failed.number()).isEqualTo(1);
              assertThat(failed.others()).isEqualTo(1);
              assertThat(failed.reason()).isInstanceOf(UnavailableException.class);
            });
    assertThat(told).containsExactly(new Address(5));
    assertThat(log.pending).hasSize(3);
  }

  /** Acknowledges when the test says so. */
  private static final class SlowLog extends UnusedLog {
    private final List<CompletableFuture<Address>> pending = new ArrayList<>();

    @Override
    public CompletableFuture<Address> appendAsync(byte[] payload) {
      var outcome = new CompletableFuture<Address>();
      pending.add(outcome);
      return outcome;
    }
  }
}
