package corfu.protocol.wire;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.EntryKind;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.CopiedRecord;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import java.util.ArrayList;
import java.util.List;

/** The bodies of log units' requests and replies. */
final class LogUnitCodec {

  private static final int WRITTEN = 0;
  private static final int OVERWRITTEN = 1;
  private static final int WRITE_TRIMMED = 2;
  private static final int NO_SPACE = 3;
  private static final int DAMAGED = 4;
  private static final int WINNER_CORRUPT = 5;

  private static final int UNWRITTEN = 0;
  private static final int FOUND = 1;
  private static final int READ_TRIMMED = 2;
  private static final int CORRUPT = 3;
  private static final int UNCONFIRMED = 4;
  private static final int FORBIDDEN = 5;

  private LogUnitCodec() {}

  static MessageType encode(LogUnitRequest request, WireWriter out) {
    return switch (request) {
      case LogUnitRequest.Write write -> {
        if (!write.seals().isEmpty()) {
          StreamFields.putAll(write.seals(), StreamFields::putSeal, out);
        }
        putEntries(write.entries(), out);
        yield write.seals().isEmpty() ? MessageType.WRITE : MessageType.SEALED_WRITE;
      }
      case LogUnitRequest.Repair repair -> {
        putEntries(repair.entries(), out);
        yield MessageType.REPAIR;
      }
      case LogUnitRequest.Read read -> {
        out.putInt(read.maxBytes());
        Fields.putAddresses(read.addresses(), out);
        yield MessageType.READ;
      }
      case LogUnitRequest.ReadBlocks read -> {
        BlocksCodec.encode(read, out);
        yield MessageType.READ_BLOCKS;
      }
      case LogUnitRequest.Trim trim -> {
        Fields.putAddresses(trim.addresses(), out);
        yield MessageType.TRIM;
      }
      case LogUnitRequest.PrefixTrim trim -> {
        out.putLong(trim.before());
        yield MessageType.PREFIX_TRIM;
      }
      case LogUnitRequest.Inspect inspect -> {
        Fields.putAddresses(inspect.addresses(), out);
        yield MessageType.INSPECT;
      }
      case LogUnitRequest.AskTail ask -> MessageType.ASK_UNIT_TAIL;
      case LogUnitRequest.CopyRange copy -> {
        out.putLong(copy.from());
        out.putLong(copy.to());
        out.putLong(copy.stride());
        out.putInt(copy.maxBytes());
        yield MessageType.COPY_RANGE;
      }
      case LogUnitRequest.Seal seal -> {
        out.putByte(
            switch (seal.extent()) {
              case EVERYTHING -> 0;
              case ALL_BUT_READS -> 1;
            });
        yield MessageType.SEAL_UNIT;
      }
      case LogUnitRequest.Reset reset -> MessageType.RESET;
      case LogUnitRequest.Install install -> {
        Fields.putLayout(install.layout(), out);
        yield MessageType.INSTALL;
      }
      case LogUnitRequest.AskUsage ask -> MessageType.ASK_USAGE;
      case LogUnitRequest.AskScrub ask -> MessageType.ASK_SCRUB;
      case LogUnitRequest.Compress compress -> {
        out.putLong(compress.before());
        yield MessageType.COMPRESS;
      }
      case LogUnitRequest.AskCompression ask -> MessageType.ASK_COMPRESSION;
      case LogUnitRequest.FindInStreams find -> {
        out.putInt(find.most());
        StreamFields.putAll(find.queries(), StreamFields::putQuery, out);
        yield MessageType.FIND_IN_STREAMS;
      }
      case LogUnitRequest.ListStreams list -> {
        out.putByte(list.part());
        StreamFields.putStream(list.after(), out);
        yield MessageType.LIST_STREAMS;
      }
      case LogUnitRequest.ReadStream read -> {
        StreamFields.putStream(read.stream(), out);
        out.putLong(read.from());
        out.putLong(read.logFrom());
        out.putLong(read.logBelow());
        out.putInt(read.maxBytes());
        yield MessageType.READ_STREAM;
      }
      case LogUnitRequest.Complete complete -> {
        Fields.putAddresses(complete.addresses(), out);
        yield MessageType.COMPLETE;
      }
      case LogUnitRequest.Follow follow -> {
        out.putLong(follow.follower());
        StreamFields.putAll(follow.add(), StreamFields::putStream, out);
        StreamFields.putAll(follow.remove(), StreamFields::putStream, out);
        yield MessageType.FOLLOW;
      }
      case LogUnitRequest.Listen listen -> {
        out.putLong(listen.follower());
        out.putInt(listen.maxBytes());
        yield MessageType.LISTEN;
      }
      case LogUnitRequest.TrimStream trim -> {
        StreamFields.putStream(trim.stream(), out);
        out.putLong(trim.before());
        yield MessageType.TRIM_STREAM;
      }
    };
  }

  static LogUnitRequest decodeRequest(MessageType type, Epoch epoch, WireReader in) {
    return switch (type) {
      case WRITE -> new LogUnitRequest.Write(epoch, decodeEntries(in));
      case SEALED_WRITE -> {
        List<TokenSeal> seals =
            StreamFields.getAll(StreamFields.SEAL_BYTES, StreamFields::getSeal, in);
        if (seals.isEmpty()) {
          throw WireReader.malformed("has no seal where one or more belong");
        }
        yield new LogUnitRequest.Write(epoch, decodeEntries(in), seals);
      }
      case REPAIR -> new LogUnitRequest.Repair(epoch, decodeEntries(in));
      case READ -> {
        int maxBytes = in.getNonNegativeInt();
        yield new LogUnitRequest.Read(epoch, Fields.getAddresses(in), maxBytes);
      }
      case READ_BLOCKS -> BlocksCodec.decodeRequest(epoch, in);
      case TRIM -> new LogUnitRequest.Trim(epoch, Fields.getAddresses(in));
      case PREFIX_TRIM -> new LogUnitRequest.PrefixTrim(epoch, in.getAddress());
      case INSPECT -> new LogUnitRequest.Inspect(epoch, Fields.getAddresses(in));
      case ASK_UNIT_TAIL -> new LogUnitRequest.AskTail(epoch);
      case COPY_RANGE ->
          new LogUnitRequest.CopyRange(
              epoch, in.getAddress(), in.getAddress(), in.getStride(), in.getNonNegativeInt());
      case SEAL_UNIT -> new LogUnitRequest.Seal(epoch, getExtent(in));
      case RESET -> new LogUnitRequest.Reset(epoch);
      case INSTALL -> new LogUnitRequest.Install(Fields.getLayout(in));
      case ASK_USAGE -> new LogUnitRequest.AskUsage();
      case ASK_SCRUB -> new LogUnitRequest.AskScrub();
      case COMPRESS -> new LogUnitRequest.Compress(in.getAddress());
      case ASK_COMPRESSION -> new LogUnitRequest.AskCompression();
      case FIND_IN_STREAMS -> {
        int most = in.getNonNegativeInt();
        yield new LogUnitRequest.FindInStreams(
            epoch, StreamFields.getAll(StreamFields.QUERY_BYTES, StreamFields::getQuery, in), most);
      }
      case LIST_STREAMS ->
          new LogUnitRequest.ListStreams(epoch, in.getByte(), StreamFields.getStream(in));
      case READ_STREAM ->
          new LogUnitRequest.ReadStream(
              epoch,
              StreamFields.getStream(in),
              in.getAddress(),
              in.getAddress(),
              in.getAddress(),
              in.getNonNegativeInt());
      case COMPLETE -> new LogUnitRequest.Complete(epoch, Fields.getAddresses(in));
      case FOLLOW -> new LogUnitRequest.Follow(epoch, in.getLong(), getStreams(in), getStreams(in));
      case LISTEN -> new LogUnitRequest.Listen(epoch, in.getLong(), in.getNonNegativeInt());
      case TRIM_STREAM ->
          new LogUnitRequest.TrimStream(epoch, StreamFields.getStream(in), in.getAddress());
      default -> throw FrameCodec.notMine(type);
    };
  }

  private static void putEntries(List<Entry> entries, WireWriter out) {
    out.putInt(entries.size());
    for (Entry entry : entries) {
      out.putEntry(entry);
    }
  }

  private static List<StreamId> getStreams(WireReader in) {
    return StreamFields.getAll(StreamFields.STREAM_BYTES, StreamFields::getStream, in);
  }

  private static List<Entry> decodeEntries(WireReader in) {
    int count = in.getCount(Entry.HEADER_BYTES);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(in.getEntry());
    }
    return entries;
  }

  static MessageType encode(LogUnitReply reply, WireWriter out) {
    return switch (reply) {
      case LogUnitReply.Writes writes -> {
        out.putInt(writes.outcomes().size());
        for (WriteOutcome outcome : writes.outcomes()) {
          encode(outcome, out);
        }
        yield MessageType.WRITES;
      }
      case LogUnitReply.Reads reads -> {
        out.putInt(reads.outcomes().size());
        for (ReadOutcome outcome : reads.outcomes()) {
          encode(outcome, out);
        }
        yield MessageType.READS;
      }
      case LogUnitReply.FoundBlocks blocks -> {
        BlocksCodec.encode(blocks, out);
        yield MessageType.FOUND_BLOCKS;
      }
      case LogUnitReply.States states -> {
        out.putInt(states.states().size());
        for (AddressState state : states.states()) {
          out.putByte(state.code());
        }
        yield MessageType.STATES;
      }
      case LogUnitReply.Tail tail -> {
        out.putLong(tail.next());
        out.putLong(tail.trimmedBefore());
        yield MessageType.UNIT_TAIL;
      }
      case LogUnitReply.SealedAt sealed -> {
        out.putLong(sealed.next());
        out.putLong(sealed.trimmedBefore());
        out.putLong(sealed.incarnation().value());
        yield MessageType.UNIT_SEALED;
      }
      case LogUnitReply.Blank blank -> {
        out.putLong(blank.incarnation().value());
        yield MessageType.BLANK;
      }
      case LogUnitReply.Copied copied -> {
        out.putLong(copied.next());
        out.putInt(copied.records().size());
        for (CopiedRecord copy : copied.records()) {
          out.putLong(copy.address());
          encode(copy.outcome(), out);
        }
        yield MessageType.COPIED;
      }
      case LogUnitReply.FoundInStreams found -> {
        out.putLong(found.forgottenBefore());
        StreamFields.putAll(found.found(), StreamFields::putOccurrences, out);
        yield MessageType.FOUND_IN_STREAMS;
      }
      case LogUnitReply.Streams streams -> {
        StreamFields.putAll(streams.tails(), StreamFields::putTail, out);
        out.putByte(streams.more() ? 1 : 0);
        yield MessageType.STREAMS;
      }
      case LogUnitReply.StreamEntries read -> {
        out.putLong(read.trimmedBefore());
        out.putLong(read.next());
        StreamFields.putAll(read.entries(), (entry, to) -> to.putEntry(entry), out);
        yield MessageType.STREAM_ENTRIES;
      }
      case LogUnitReply.Following following -> {
        out.putInt(following.streams());
        yield MessageType.FOLLOWING;
      }
      case LogUnitReply.Heard heard -> {
        out.putByte(heard.hasMissed() ? 1 : 0);
        StreamFields.putAll(heard.entries(), (entry, to) -> to.putEntry(entry), out);
        yield MessageType.HEARD;
      }
      case LogUnitReply.Usage usage -> {
        out.putLong(usage.entries());
        out.putLong(usage.liveBytes());
        out.putLong(usage.fileBytes());
        out.putLong(usage.freeBytes());
        out.putLong(usage.next());
        out.putLong(usage.trimmedBefore());
        Fields.putText(usage.mode(), out);
        yield MessageType.USAGE;
      }
      case LogUnitReply.Scrubbed scrubbed -> {
        out.putLong(scrubbed.rounds());
        out.putLong(scrubbed.roundAgeMillis());
        out.putLong(scrubbed.readBytes());
        out.putLong(scrubbed.records());
        out.putLong(scrubbed.doneBytes());
        out.putLong(scrubbed.roundBytes());
        out.putLong(scrubbed.found());
        out.putLong(scrubbed.repaired());
        out.putLong(scrubbed.waiting());
        Fields.putText(scrubbed.detail(), out);
        yield MessageType.SCRUBBED;
      }
      case LogUnitReply.Compressed compressed -> {
        out.putLong(compressed.before());
        out.putLong(compressed.plainBytes());
        out.putLong(compressed.storedBytes());
        out.putLong(compressed.waitingBytes());
        Fields.putText(compressed.detail(), out);
        yield MessageType.COMPRESSED;
      }
    };
  }

  private static void encode(WriteOutcome outcome, WireWriter out) {
    switch (outcome) {
      case WriteOutcome.Written written -> out.putByte(WRITTEN);
      case WriteOutcome.Overwritten(AppendId winner, EntryKind kind) -> {
        out.putByte(OVERWRITTEN);
        out.putLong(winner.client());
        out.putLong(winner.sequence());
        out.putByte(kind.code());
      }
      case WriteOutcome.Trimmed trimmed -> out.putByte(WRITE_TRIMMED);
      case WriteOutcome.NoSpace full -> out.putByte(NO_SPACE);
      case WriteOutcome.Damaged damaged -> out.putByte(DAMAGED);
      case WriteOutcome.Corrupt corrupt -> out.putByte(WINNER_CORRUPT);
    }
  }

  private static void encode(ReadOutcome outcome, WireWriter out) {
    switch (outcome) {
      case ReadOutcome.Unwritten unwritten -> out.putByte(UNWRITTEN);
      case ReadOutcome.Found(Entry entry) -> {
        out.putByte(FOUND);
        out.putEntry(entry);
      }
      case ReadOutcome.Unconfirmed(Entry entry) -> {
        out.putByte(UNCONFIRMED);
        out.putEntry(entry);
      }
      case ReadOutcome.Trimmed trimmed -> out.putByte(READ_TRIMMED);
      case ReadOutcome.Corrupt(String detail) -> {
        out.putByte(CORRUPT);
        Fields.putText(detail, out);
      }
      case ReadOutcome.Forbidden forbidden -> out.putByte(FORBIDDEN);
    }
  }

  static LogUnitReply decodeReply(MessageType type, WireReader in) {
    return switch (type) {
      case WRITES -> {
        int count = in.getCount(1);
        List<WriteOutcome> outcomes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          outcomes.add(decodeWriteOutcome(in));
        }
        yield new LogUnitReply.Writes(outcomes);
      }
      case READS -> {
        int count = in.getCount(1);
        List<ReadOutcome> outcomes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          outcomes.add(decodeReadOutcome(in));
        }
        yield new LogUnitReply.Reads(outcomes);
      }
      case FOUND_BLOCKS -> BlocksCodec.decodeReply(in);
      case STATES -> {
        int count = in.getCount(1);
        List<AddressState> states = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          states.add(AddressState.ofCode(in.getByte()));
        }
        yield new LogUnitReply.States(states);
      }
      case UNIT_TAIL -> new LogUnitReply.Tail(in.getAddress(), in.getAddress());
      case UNIT_SEALED ->
          new LogUnitReply.SealedAt(
              in.getAddress(), in.getAddress(), new Incarnation(in.getLong()));
      case BLANK -> new LogUnitReply.Blank(new Incarnation(in.getLong()));
      case FOLLOWING -> new LogUnitReply.Following(in.getNonNegativeInt());
      case HEARD -> new LogUnitReply.Heard(Fields.getFlag(in), decodeEntries(in));
      case COPIED -> {
        long next = in.getAddress();
        int count = in.getCount(Long.BYTES + 1);
        List<CopiedRecord> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          records.add(new CopiedRecord(in.getAddress(), decodeReadOutcome(in)));
        }
        yield new LogUnitReply.Copied(next, records);
      }
      case FOUND_IN_STREAMS ->
          new LogUnitReply.FoundInStreams(
              in.getAddress(),
              StreamFields.getAll(
                  StreamFields.OCCURRENCES_BYTES, StreamFields::getOccurrences, in));
      case STREAMS ->
          new LogUnitReply.Streams(
              StreamFields.getAll(StreamFields.TAIL_BYTES, StreamFields::getTail, in),
              Fields.getFlag(in));
      case STREAM_ENTRIES ->
          new LogUnitReply.StreamEntries(in.getAddress(), in.getAddress(), decodeEntries(in));
      case USAGE ->
          new LogUnitReply.Usage(
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getAddress(),
              in.getAddress(),
              in.getText());
      case SCRUBBED ->
          new LogUnitReply.Scrubbed(
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getLong(),
              in.getText());
      case COMPRESSED ->
          new LogUnitReply.Compressed(
              in.getAddress(),
              in.getNonNegativeLong(),
              in.getNonNegativeLong(),
              in.getNonNegativeLong(),
              in.getText());
      default -> throw FrameCodec.notMine(type);
    };
  }

  private static LogUnitRequest.Seal.Extent getExtent(WireReader in) {
    int code = in.getByte();
    return switch (code) {
      case 0 -> LogUnitRequest.Seal.Extent.EVERYTHING;
      case 1 -> LogUnitRequest.Seal.Extent.ALL_BUT_READS;
      default -> throw WireReader.malformed("has an unknown extent of a seal " + code);
    };
  }

  private static WriteOutcome decodeWriteOutcome(WireReader in) {
    int code = in.getByte();
    return switch (code) {
      case WRITTEN -> WriteOutcome.Written.WRITTEN;
      case OVERWRITTEN ->
          new WriteOutcome.Overwritten(
              new AppendId(in.getLong(), in.getLong()), EntryKind.ofCode(in.getByte()));
      case WRITE_TRIMMED -> WriteOutcome.Trimmed.TRIMMED;
      case NO_SPACE -> WriteOutcome.NoSpace.NO_SPACE;
      case DAMAGED -> WriteOutcome.Damaged.DAMAGED;
      case WINNER_CORRUPT -> WriteOutcome.Corrupt.CORRUPT;
      default -> throw WireReader.malformed("has an unknown write outcome " + code);
    };
  }

  private static ReadOutcome decodeReadOutcome(WireReader in) {
    int code = in.getByte();
    return switch (code) {
      case UNWRITTEN -> ReadOutcome.Unwritten.UNWRITTEN;
      case FOUND -> new ReadOutcome.Found(in.getEntry());
      case UNCONFIRMED -> new ReadOutcome.Unconfirmed(in.getEntry());
      case READ_TRIMMED -> ReadOutcome.Trimmed.TRIMMED;
      case CORRUPT -> new ReadOutcome.Corrupt(in.getText());
      case FORBIDDEN -> {
        in.expectVersion(EarlierVersions.ACCESS_VERSION);
        yield ReadOutcome.Forbidden.FORBIDDEN;
      }
      default -> throw WireReader.malformed("has an unknown read outcome " + code);
    };
  }
}
