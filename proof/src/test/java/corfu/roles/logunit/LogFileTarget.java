package corfu.roles.logunit;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.proof.fuzz.StillWorld;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.StreamQuery;
import corfu.roles.logunit.format.DamagedStorageException;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.MemoryDisk;
import corfu.world.Offload;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Log files: records of all kinds, footers with the index and the streams, torn tails.
 *
 * <p>A log unit with such a file on its disk either does not open, or serves. Then every entry that
 * it returns has a valid checksum and its own address, and after another restart it returns the
 * same.
 *
 * <p>The first byte has two flags. 1: correct the file's header and every checksum first. 2: add a
 * younger file; then nothing may be torn.
 */
public final class LogFileTarget implements FuzzTarget {

  private static final long NONCE = 0x0123456789abcdefL;
  private static final Epoch EPOCH = new Epoch(1);
  private static final int ADDRESSES = 64;
  private static final StreamId STREAM = new StreamId(1, 2);
  private static final LogUnitOptions OPTIONS =
      LogUnitOptions.onDisk(UnitMode.DURABLE).withLogFileBytes(8 << 10).withCapacityBytes(1 << 20);

  private static final String EPOCH_FILE = "epoch";

  /** The epoch file of a unit that serves. */
  private final ByteBuffer epochFile;

  public LogFileTarget() {
    Disk disk = new MemoryDisk();
    opened(disk).close();
    epochFile = ByteBuffer.wrap(fileOf(disk, EPOCH_FILE));
  }

  @Override
  public String name() {
    return "segment";
  }

  // --------------------------------------------------------------------------------------- seeds

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (byte[] whole : List.of(written(false, false), written(true, false), written(true, true))) {
      byte[] file = withoutZeros(whole);
      seeds.add(Bytes.behind(0, file));
      seeds.add(Bytes.behind(1, file));
      seeds.add(Bytes.behind(3, file));
    }
    return seeds;
  }

  /** Returns the first file of a unit after requests of all kinds. */
  private static byte[] written(boolean isTrimmed, boolean isFinished) {
    Disk disk = new MemoryDisk();
    LogUnit unit = opened(disk);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      StreamHeader place = new StreamHeader(STREAM, i, Backpointers.NONE);
      List<StreamHeader> places = i % 2 == 0 ? List.of(place) : List.of();
      ByteBuffer payload = ByteBuffer.wrap(new byte[] {(byte) i, 1});
      entries.add(Entry.data(i, new AppendId(9, i), places, payload));
    }
    entries.add(Entry.hole(6, new AppendId(9, 6)));
    ask(unit, new LogUnitRequest.Write(EPOCH, entries));
    if (isTrimmed) {
      ask(unit, new LogUnitRequest.Trim(EPOCH, AddressSet.of(3)));
      ask(unit, new LogUnitRequest.TrimStream(EPOCH, STREAM, 2));
      ask(unit, new LogUnitRequest.PrefixTrim(EPOCH, 1));
    }
    unit.close();
    if (isFinished) {
      opened(disk).close(); // a restart writes the footer
    }
    String first = disk.list().stream().filter(LogFileName::isName).findFirst().orElseThrow();
    return fileOf(disk, first);
  }

  /** Preallocated blocks would make inputs long. */
  private static byte[] withoutZeros(byte[] file) {
    int end = file.length;
    while (end > 0 && file[end - 1] == 0) {
      end--;
    }
    return Arrays.copyOf(file, Math.min(file.length, end + 8));
  }

  private static byte[] fileOf(Disk disk, String name) {
    try (DiskFile file = disk.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  // ----------------------------------------------------------------------------------------- run

  @Override
  public void run(byte[] input) {
    int how = input.length == 0 ? 0 : input[0];
    ByteBuffer bytes = Bytes.from(input, 1);
    if ((how & 1) != 0) {
      putRight(bytes);
    }
    Disk disk = new MemoryDisk();
    write(disk, EPOCH_FILE, epochFile.duplicate());
    write(disk, LogFileName.of(0), bytes);
    if ((how & 2) != 0) {
      write(disk, LogFileName.of(1), RecordFormat.fileHeader(1, NONCE + 1));
    }
    Map<Long, ReadOutcome> held;
    try {
      held = lookedInto(disk);
    } catch (DamagedStorageException refused) {
      return;
    }
    Map<Long, ReadOutcome> after = lookedInto(disk);
    if (!held.equals(after)) {
      throw new AssertionError("before a restart " + held + ", behind it " + after);
    }
  }

  private static void write(Disk disk, String name, ByteBuffer bytes) {
    try (DiskFile file = disk.create(name)) {
      file.write(bytes, 0);
    }
  }

  private static Map<Long, ReadOutcome> lookedInto(Disk disk) {
    LogUnit unit = opened(disk);
    try {
      Map<Long, ReadOutcome> held = new HashMap<>();
      long tail = ((LogUnitReply.Tail) ask(unit, new LogUnitRequest.AskTail(EPOCH))).next();
      read(unit, 0, held);
      read(unit, Math.max(ADDRESSES, tail - ADDRESSES), held);
      StreamQuery query = StreamQuery.below(STREAM, Long.MAX_VALUE);
      ask(unit, new LogUnitRequest.FindInStreams(EPOCH, List.of(query), 10));
      ask(unit, new LogUnitRequest.ReadStream(EPOCH, STREAM, 0, 0, Long.MAX_VALUE, 1_000));
      ask(unit, new LogUnitRequest.ListStreams(EPOCH, 0, StreamId.NONE));
      return held;
    } finally {
      unit.close();
    }
  }

  private static void read(LogUnit unit, long from, Map<Long, ReadOutcome> held) {
    int count = (int) Math.min(ADDRESSES, Long.MAX_VALUE - from);
    AddressSet addresses = new AddressSet.Strided(from, 1, count);
    Reply reply = ask(unit, new LogUnitRequest.Read(EPOCH, addresses, 1 << 20));
    List<ReadOutcome> outcomes = ((LogUnitReply.Reads) reply).outcomes();
    for (int i = 0; i < outcomes.size(); i++) {
      ReadOutcome outcome = outcomes.get(i);
      long asked = from + i;
      outcome
          .held()
          .ifPresent(
              entry -> {
                if (!entry.isIntact() || entry.address() != asked) {
                  throw new AssertionError(asked + " was answered by " + entry);
                }
              });
      held.put(
          asked,
          outcome.held().<ReadOutcome>map(e -> new ReadOutcome.Found(e.copy())).orElse(outcome));
    }
  }

  private static LogUnit opened(Disk disk) {
    World world = new StillWorld();
    LogUnit unit = LogUnit.open(disk, OPTIONS, world, Offload.inline(), Offload.inline());
    ask(unit, new LogUnitRequest.Install(layout(unit)));
    return unit;
  }

  private static Layout layout(LogUnit unit) {
    Endpoint server = new Endpoint("unit", 9000);
    List<Endpoint> one = List.of(server);
    return Layout.initial(new ClusterId(new UUID(1, 2)), one, one, one, 1)
        .withIncarnations(Map.of(), Map.of(server, unit.incarnation()));
  }

  private static Reply ask(LogUnit unit, LogUnitRequest request) {
    List<Reply> replies = new ArrayList<>();
    unit.handle(request, replies::add);
    unit.turnEnded();
    if (replies.size() != 1) {
      throw new AssertionError(request + " was answered by " + replies);
    }
    return replies.getFirst();
  }

  // --------------------------------------------------------------------------------- put right

  /** Corrects nonces, lengths and checksums: random bytes would never match a checksum. */
  private static void putRight(ByteBuffer file) {
    if (file.limit() < RecordFormat.FILE_HEADER_BYTES) {
      return;
    }
    file.put(0, RecordFormat.fileHeader(0, NONCE), 0, RecordFormat.FILE_HEADER_BYTES);
    int at = RecordFormat.FILE_HEADER_BYTES;
    while (at + RecordFormat.RECORD_HEADER_BYTES <= file.limit()) {
      int kind = file.getInt(at + 24) & 7;
      int rest = file.limit() - at - RecordFormat.RECORD_HEADER_BYTES;
      int length = Math.min(file.getInt(at + 4) & 0xffff, rest);
      int durable = file.getInt(at + 28);
      ByteBuffer body =
          file.slice(at + RecordFormat.RECORD_HEADER_BYTES, length).order(ByteOrder.LITTLE_ENDIAN);
      boolean isEntry = kind == RecordFormat.DATA || kind == RecordFormat.HOLE;
      long address = file.getLong(at + 8);
      if (isEntry) {
        seal(body, address);
      } else if (kind == RecordFormat.FOOTER && length >= 16) {
        body.putLong(length - 16, at).putLong(length - 8, 0x444e4555_46524f43L);
      }
      RecordFormat.putHeader(
          file.position(at),
          kind,
          length,
          address,
          NONCE,
          durable,
          isEntry ? ByteBuffer.allocate(0) : body);
      at += (int) RecordFormat.sizeOf(length);
    }
    file.position(0);
  }

  private static void seal(ByteBuffer entry, long address) {
    if (entry.limit() >= Entry.HEADER_BYTES) {
      entry.putInt(4, entry.limit()).putLong(8, address);
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(entry.duplicate().position(4));
      entry.putInt(0, (int) crc.getValue());
    }
  }

  @Override
  public long allowedBytes() {
    return 64 << 20;
  }
}
