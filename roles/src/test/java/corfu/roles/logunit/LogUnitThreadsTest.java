package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.Reads;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitReply.Writes;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Install;
import corfu.protocol.message.LogUnitRequest.Read;
import corfu.protocol.message.LogUnitRequest.Trim;
import corfu.protocol.message.LogUnitRequest.Write;
import corfu.protocol.message.Reply;
import corfu.protocol.wire.FrameCodec;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Disk;
import corfu.world.Loop;
import corfu.world.MemoryDisk;
import corfu.world.Offload;
import corfu.world.RealDisk;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A unit with threads of its own for its disk, as in production. */
class LogUnitThreadsTest {

  private static final Epoch EPOCH = new Epoch(1);
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(256 << 10);

  private final RealWorld world = new RealWorld();
  private final Loop owner = world.loop("owner");
  private final Loop syncs = world.loop("syncs");
  private final Loop background = world.loop("background");

  @AfterEach
  void stop() {
    owner.close();
    syncs.close();
    background.close();
    world.close();
  }

  private LogUnit open(Disk disk) {
    LogUnit unit =
        inside(
            () ->
                LogUnit.open(
                    disk, OPTIONS, world, Offload.to(syncs, owner), Offload.to(background, owner)));
    ask(unit, new Install(UnitDriver.layout(1, unit.incarnation()))).join();
    return unit;
  }

  private <T> T inside(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, owner).join();
  }

  private CompletableFuture<Reply> ask(LogUnit unit, LogUnitRequest request) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    owner.execute(
        () -> {
          unit.handle(request, answer -> reply.complete(FrameCodec.copyOf(answer)));
          unit.turnEnded();
        });
    return reply;
  }

  private static Write write(long from, long to) {
    return new Write(
        EPOCH, LongStream.range(from, to).<Entry>mapToObj(a -> entry(a, 500)).toList());
  }

  @Test
  void closingAnswersWhoWaitsAndLeavesEverythingInFinishedFiles() {
    Disk disk = new MemoryDisk();
    LogUnit unit = open(disk);
    List<CompletableFuture<Reply>> replies =
        LongStream.range(0, 100).mapToObj(i -> ask(unit, write(10 * i, 10 * i + 10))).toList();
    inside(
        () -> {
          unit.close();
          return unit;
        });
    assertThat(replies)
        .allSatisfy(
            reply ->
                assertThat(((Writes) reply.join()).outcomes())
                    .containsOnly(WriteOutcome.Written.WRITTEN));
    assertThat(disk.list()).noneMatch(name -> name.endsWith(LogFileName.TEMPORARY));
    LogUnit again = open(disk);
    var read =
        (Reads) ask(again, new Read(EPOCH, new AddressSet.Strided(0, 1, 1000), 1 << 24)).join();
    for (int a = 0; a < 1000; a++) {
      assertThat(read.outcomes().get(a)).isEqualTo(new ReadOutcome.Found(entry(a, 500)));
    }
  }

  @Test
  void writesReadsAndCompactionRunBesideEachOtherOnARealDisk(@TempDir Path directory) {
    try (Disk disk = RealDisk.open(directory)) {
      LogUnit unit = open(disk);
      for (long a = 0; a < 4000; a += 100) {
        var written = ask(unit, write(a, a + 100));
        long[] dead = LongStream.range(a, a + 100).filter(b -> b % 7 != 0).toArray();
        var trimmed = ask(unit, new Trim(EPOCH, new AddressSet.Listed(dead)));
        var alive = (a + 6) / 7 * 7;
        var read = ask(unit, new Read(EPOCH, AddressSet.of(alive), 1000));
        assertThat(((Writes) written.join()).outcomes()).containsOnly(WriteOutcome.Written.WRITTEN);
        assertThat(trimmed.join()).isEqualTo(Reply.Done.DONE);
        assertThat(read.join())
            .isEqualTo(new Reads(List.of(new ReadOutcome.Found(entry(alive, 500)))));
      }
      for (int life = 0; life < 2; life++) {
        for (long a = 0; a < 4000; a++) {
          ReadOutcome expected =
              a % 7 == 0 ? new ReadOutcome.Found(entry(a, 500)) : ReadOutcome.Trimmed.TRIMMED;
          LogUnit current = unit;
          assertThat(ask(current, new Read(EPOCH, AddressSet.of(a), 1000)).join())
              .isEqualTo(new Reads(List.of(expected)));
        }
        LogUnit last = unit;
        inside(
            () -> {
              last.close();
              return last;
            });
        unit = open(disk);
      }
    }
  }
}
