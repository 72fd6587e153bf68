package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.LocalEntries.Local;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The streams of entries, which permissions depend on. */
class LogUnitEntriesTest {

  private static final StreamId A = new StreamId(1, 1);
  private static final StreamId B = new StreamId(1, 2);

  private final FaultDisk disk = new FaultDisk();
  private UnitDriver unit = UnitDriver.started(disk, LogUnitOptions.onDisk(UnitMode.DURABLE));

  private Local at(long address) {
    return unit.unit.entries().at(address);
  }

  private static Local streams(StreamId... ids) {
    return new Local.Data(List.of(ids));
  }

  @Test
  void itTellsTheStreamsOfAnEntry() {
    unit.write(entry(0, in(A, 0)), entry(1, in(A, 1), in(B, 0)), entry(2), hole(3));
    unit.trim(4);

    assertThat(at(0)).isEqualTo(streams(A));
    assertThat(at(1)).isEqualTo(streams(A, B));
    assertThat(at(2)).isEqualTo(streams());
    assertThat(at(3)).isEqualTo(Local.Absent.HOLE);
    assertThat(at(4)).isEqualTo(Local.Absent.TRIMMED);
    assertThat(at(5)).isEqualTo(Local.Absent.UNWRITTEN);
  }

  @Test
  void itTellsThemOfLargeEntriesAndOfManyStreams() {
    List<StreamHeader> many = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      many.add(in(new StreamId(2, i + 1), 0));
    }
    unit.write(
        Entry.data(0, new AppendId(1, 1), List.of(in(A, 0)), ByteBuffer.allocate(1 << 20)),
        Entry.data(1, new AppendId(1, 2), many, ByteBuffer.allocate(10)));

    assertThat(at(0)).isEqualTo(streams(A));
    assertThat(at(1)).isEqualTo(new Local.Data(many.stream().map(StreamHeader::stream).toList()));
  }

  @Test
  void itTellsThemAfterATrimOfOneOfTheStreams() {
    unit.write(entry(0, in(A, 0), in(B, 0)), entry(1, in(A, 1)));
    unit.trimStream(A, 2);

    assertThat(at(0)).isEqualTo(streams(A, B));
    assertThat(at(1)).isEqualTo(Local.Absent.TRIMMED);
  }

  @Test
  void itTellsThemAfterARestart() {
    unit.write(entry(0, in(A, 0)), entry(1, in(A, 1), in(B, 0)));
    unit.unit.close();
    unit = UnitDriver.opened(disk, LogUnitOptions.onDisk(UnitMode.DURABLE));

    assertThat(at(0)).isEqualTo(streams(A));
    assertThat(at(1)).isEqualTo(streams(A, B));
  }

  @Test
  void itTellsNothingBeforeAnEntryIsDurable() {
    unit.unit.handle(
        new LogUnitRequest.Write(unit.epoch, List.of(entry(0, in(A, 0)))), reply -> {});
    assertThat(at(0)).isEqualTo(Local.Unknown.UNSETTLED);
    unit.unit.turnEnded();
    assertThat(at(0)).isEqualTo(streams(A));
  }

  /** The unit's epoch check answers requests of other epochs. */
  @Test
  void itIsThePlaceOfEntriesOfItsLayoutAndDoesNotJudgeOtherEpochs() {
    Entry entry = entry(0, in(A, 0));
    assertThat(unit.unit.entries().isPlaceOf(entry, unit.epoch)).isTrue();
    assertThat(unit.unit.entries().isPlaceOf(entry, unit.epoch.next())).isTrue();
    unit.install(unit.foreign(2));
    assertThat(unit.unit.entries().isPlaceOf(entry, new Epoch(2))).isFalse();
    assertThat(unit.unit.entries().isPlaceOf(entry, new Epoch(1))).isTrue();
  }

  @Test
  void aClosedUnitTellsNothing() {
    unit.write(entry(0, in(A, 0)));
    unit.unit.close();
    assertThat(at(0)).isEqualTo(Local.Unknown.CORRUPT);
  }
}
