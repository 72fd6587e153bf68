package corfu.nbd.internal.session;

import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_FIXED_NEWSTYLE;
import static corfu.nbd.internal.protocol.NbdNumbers.FLAG_NO_ZEROES;
import static corfu.nbd.internal.protocol.NbdNumbers.INFO_BLOCK_SIZE;
import static corfu.nbd.internal.protocol.NbdNumbers.INFO_DESCRIPTION;
import static corfu.nbd.internal.protocol.NbdNumbers.INFO_NAME;
import static corfu.nbd.internal.protocol.NbdNumbers.MAX_PAYLOAD_BYTES;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_ABORT;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_EXPORT_NAME;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_EXTENDED_HEADERS;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_GO;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_INFO;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_LIST;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_LIST_META_CONTEXT;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_SET_META_CONTEXT;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_STARTTLS;
import static corfu.nbd.internal.protocol.NbdNumbers.OPT_STRUCTURED_REPLY;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_EXT_HEADER_REQD;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_INVALID;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_POLICY;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_SHUTDOWN;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_TLS_REQD;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_TOO_BIG;
import static corfu.nbd.internal.protocol.NbdNumbers.REP_ERR_UNSUP;

import corfu.nbd.BlockDevice;
import corfu.nbd.DeviceInfo;
import corfu.nbd.ExportDescription;
import corfu.nbd.internal.protocol.HandshakeReplies;
import corfu.nbd.internal.protocol.HeaderStyle;
import corfu.nbd.internal.protocol.InvalidOptionException;
import corfu.nbd.internal.protocol.NbdViolationException;
import corfu.nbd.internal.protocol.OptionData;
import corfu.nbd.internal.protocol.OptionHeader;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handshake in its fixed newstyle form: client flags, then options, until the client opens an
 * export. One option at a time: bytes behind an option wait until its reply is complete.
 */
final class Handshake {

  /** The longest data of an option. Longer ones are read over, up to the second bound. */
  private static final int MAX_OPTION_BYTES = 1 << 16;

  private static final int MAX_SKIPPED_BYTES = 1 << 20;

  private static final int MAX_NAMES = 65_536;
  private static final int MAX_CONTEXTS_CHOSEN = 16;
  private static final int MAX_CONTEXTS_LISTED = 1_024;

  /** All namespaces whose contexts a client without queries learns. */
  private static final List<String> NAMESPACES = List.of("base:", "qemu:");

  private final SessionContext context;
  private final DeviceCalls calls;
  private final ClientLink link;

  private boolean hasFlags;
  private boolean isFixed;
  private boolean withoutZeroes;
  private boolean isSecure;
  private boolean isStopping;
  private boolean isWaiting;
  private boolean isOver;
  private boolean isGone;
  private @Nullable OptionHeader header;
  private long toSkip;
  private HeaderStyle style = HeaderStyle.SIMPLE;
  private ContextChoice choice = ContextChoice.NONE;
  private @Nullable OpenExport entered;

  Handshake(SessionContext context, DeviceCalls calls, ClientLink link) {
    this.context = context;
    this.calls = calls;
    this.link = link;
    HandshakeReplies.greeting(link.out());
  }

  HeaderStyle style() {
    return style;
  }

  /** Returns the export with which the transmission begins, after the handshake has finished. */
  @Nullable OpenExport entered() {
    return entered;
  }

  /** Returns whether an option has not got its reply yet. */
  boolean isWaiting() {
    return isWaiting;
  }

  /** Answers further options with an error. */
  void stop() {
    isStopping = true;
  }

  /** Gives back an export of which no transmission has begun, also one that opens later. */
  void end() {
    isGone = true;
    OpenExport export = entered;
    if (export != null) {
      export.device().close();
    }
  }

  /** Tells that all bytes are encrypted from now on. Nothing negotiated before counts. */
  void secured() {
    isSecure = true;
    isWaiting = false;
    style = HeaderStyle.SIMPLE;
    choice = ContextChoice.NONE;
  }

  SessionStep step(ByteBuf in) {
    if (isOver) {
      return SessionStep.FINISHED;
    }
    if (isWaiting) {
      return SessionStep.BLOCKED;
    }
    if (!hasFlags) {
      return readFlags(in);
    }
    OptionHeader current = header;
    if (current == null) {
      if (in.readableBytes() < OptionHeader.BYTES) {
        return SessionStep.STARVED;
      }
      current = OptionHeader.read(in);
      header = current;
      if (current.length() > MAX_SKIPPED_BYTES) {
        throw new NbdViolationException(
            "option %d has %d bytes; the bound is %d"
                .formatted(current.option(), current.length(), MAX_SKIPPED_BYTES));
      }
      toSkip = current.length() > MAX_OPTION_BYTES ? current.length() : 0;
    }
    return toSkip > 0 ? skip(in, current) : readOption(in, current);
  }

  private SessionStep readFlags(ByteBuf in) {
    if (in.readableBytes() < 4) {
      return SessionStep.STARVED;
    }
    int flags = in.readInt();
    if ((flags & ~(FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES)) != 0) {
      throw new NbdViolationException("unknown client flags 0x%08x".formatted(flags));
    }
    hasFlags = true;
    isFixed = (flags & FLAG_FIXED_NEWSTYLE) != 0;
    withoutZeroes = (flags & FLAG_NO_ZEROES) != 0;
    return SessionStep.ADVANCED;
  }

  private SessionStep skip(ByteBuf in, OptionHeader current) {
    int bytes = (int) Math.min(toSkip, in.readableBytes());
    in.skipBytes(bytes);
    toSkip -= bytes;
    if (toSkip > 0) {
      return SessionStep.STARVED;
    }
    header = null;
    if (current.option() == OPT_EXPORT_NAME) {
      throw new NbdViolationException("the export's name has %d bytes".formatted(current.length()));
    }
    error(
        current.option(),
        isTlsMissing() ? REP_ERR_TLS_REQD : REP_ERR_TOO_BIG,
        "an option has at most %d bytes".formatted(MAX_OPTION_BYTES));
    return SessionStep.ADVANCED;
  }

  private SessionStep readOption(ByteBuf in, OptionHeader current) {
    if (in.readableBytes() < current.length()) {
      return SessionStep.STARVED;
    }
    header = null;
    ByteBuf data = in.readSlice((int) current.length());
    try {
      handle(current.option(), data);
    } catch (InvalidOptionException invalid) {
      if (current.option() == OPT_EXPORT_NAME) {
        throw new NbdViolationException(String.valueOf(invalid.getMessage()));
      }
      error(current.option(), REP_ERR_INVALID, String.valueOf(invalid.getMessage()));
    }
    return isOver ? SessionStep.FINISHED : SessionStep.ADVANCED;
  }

  private boolean isTlsMissing() {
    return context.tls() == TlsNeed.REQUIRED && !isSecure;
  }

  private void handle(int option, ByteBuf data) {
    if (option == OPT_ABORT) {
      HandshakeReplies.ack(link.out(), option);
      isOver = true;
    } else if (option == OPT_STARTTLS) {
      startTls(data);
    } else if (isTlsMissing()) {
      if (option == OPT_EXPORT_NAME) {
        throw new NbdViolationException("EXPORT_NAME without TLS, which this server requires");
      }
      error(option, REP_ERR_TLS_REQD, "this server requires TLS");
    } else if (isStopping) {
      if (option == OPT_EXPORT_NAME) {
        throw new NbdViolationException("EXPORT_NAME while this server stops");
      }
      error(option, REP_ERR_SHUTDOWN, "this server stops");
    } else {
      serve(option, data);
    }
  }

  private void serve(int option, ByteBuf data) {
    switch (option) {
      case OPT_EXPORT_NAME -> enterByName(OptionData.name(data));
      case OPT_LIST -> list(data);
      case OPT_INFO -> inform(OptionData.infoQuery(data));
      case OPT_GO -> go(OptionData.infoQuery(data));
      case OPT_STRUCTURED_REPLY -> structure(option, data);
      case OPT_EXTENDED_HEADERS -> {
        requireEmpty(data);
        style = HeaderStyle.EXTENDED;
        HandshakeReplies.ack(link.out(), option);
      }
      case OPT_LIST_META_CONTEXT -> listContexts(option, data);
      case OPT_SET_META_CONTEXT -> chooseContexts(option, data);
      default -> error(option, REP_ERR_UNSUP, "this server knows no option " + option);
    }
  }

  private void startTls(ByteBuf data) {
    requireEmpty(data);
    if (isSecure) {
      error(OPT_STARTTLS, REP_ERR_INVALID, "this connection has TLS already");
    } else if (context.tls() == TlsNeed.OFF) {
      error(OPT_STARTTLS, REP_ERR_POLICY, "this server has neither certificates nor keys for TLS");
    } else if (!isFixed) {
      error(OPT_STARTTLS, REP_ERR_INVALID, "TLS needs the fixed newstyle handshake");
    } else {
      HandshakeReplies.ack(link.out(), OPT_STARTTLS);
      isWaiting = true; // until the keys are agreed on
      link.startTls();
    }
  }

  private void structure(int option, ByteBuf data) {
    requireEmpty(data);
    if (style == HeaderStyle.EXTENDED) {
      error(option, REP_ERR_EXT_HEADER_REQD, "extended headers are agreed on already");
      return;
    }
    style = HeaderStyle.STRUCTURED;
    HandshakeReplies.ack(link.out(), option);
  }

  private void list(ByteBuf data) {
    requireEmpty(data);
    await(
        OPT_LIST,
        context.exports().names(),
        names -> {
          if (names.size() > MAX_NAMES) {
            error(
                OPT_LIST,
                REP_ERR_TOO_BIG,
                "a list has at most %d exports, here are %d".formatted(MAX_NAMES, names.size()));
            return;
          }
          names.forEach(name -> HandshakeReplies.export(link.out(), name));
          HandshakeReplies.ack(link.out(), OPT_LIST);
        });
  }

  private void enterByName(String name) {
    if (style == HeaderStyle.EXTENDED) {
      throw new NbdViolationException("EXPORT_NAME after EXTENDED_HEADERS");
    }
    open(
        OPT_EXPORT_NAME,
        name,
        export -> {
          long sizeBytes = export.device().info().sizeBytes();
          int flags = ExportFlags.of(export.device(), export.contexts(), style);
          HandshakeReplies.oldExport(link.out(), sizeBytes, flags, withoutZeroes);
        });
  }

  private void go(OptionData.InfoQuery query) {
    open(OPT_GO, query.export(), export -> inform(OPT_GO, query, export.device()));
  }

  private void inform(OptionData.InfoQuery query) {
    describe(OPT_INFO, query.export(), description -> inform(OPT_INFO, query, description));
  }

  private void inform(int option, OptionData.InfoQuery query, ExportDescription description) {
    DeviceInfo info = description.info();
    int flags = ExportFlags.of(description, choice.of(query.export()), style);
    ByteBuf out = link.out();
    HandshakeReplies.exportInfo(out, option, info.sizeBytes(), flags);
    if (query.types().contains(INFO_NAME)) {
      HandshakeReplies.textInfo(out, option, INFO_NAME, query.export());
    }
    if (query.types().contains(INFO_DESCRIPTION)) {
      HandshakeReplies.textInfo(out, option, INFO_DESCRIPTION, info.description());
    }
    if (query.types().contains(INFO_BLOCK_SIZE)) {
      HandshakeReplies.blockSizes(
          out, option, info.minBlockBytes(), info.preferredBlockBytes(), MAX_PAYLOAD_BYTES);
    }
    HandshakeReplies.ack(out, option);
  }

  private void listContexts(int option, ByteBuf data) {
    OptionData.ContextQuery query = OptionData.contextQuery(data);
    requireChunks();
    describe(
        option,
        query.export(),
        description -> {
          Set<String> found = new LinkedHashSet<>();
          for (String one : query.queries().isEmpty() ? NAMESPACES : query.queries()) {
            found.addAll(description.contexts(one));
          }
          found.stream()
              .limit(MAX_CONTEXTS_LISTED)
              .forEach(name -> HandshakeReplies.context(link.out(), option, 0, name));
          HandshakeReplies.ack(link.out(), option);
        });
  }

  private void chooseContexts(int option, ByteBuf data) {
    choice = ContextChoice.NONE; // also if the option fails
    OptionData.ContextQuery query = OptionData.contextQuery(data);
    requireChunks();
    describe(
        option,
        query.export(),
        description -> {
          List<String> chosen = new ArrayList<>();
          for (String one : query.queries()) {
            if (!chosen.contains(one) && description.contexts(one).contains(one)) {
              chosen.add(one);
            }
          }
          if (chosen.size() > MAX_CONTEXTS_CHOSEN) {
            error(option, REP_ERR_TOO_BIG, "more than " + MAX_CONTEXTS_CHOSEN + " contexts");
            return;
          }
          choice = new ContextChoice(query.export(), chosen);
          for (int i = 0; i < chosen.size(); i++) {
            HandshakeReplies.context(link.out(), option, 1 + i, chosen.get(i));
          }
          HandshakeReplies.ack(link.out(), option);
        });
  }

  /** Continues with the facts of an export, and leaves its servers alone. */
  private void describe(int option, String name, Consumer<ExportDescription> then) {
    await(option, context.exports().describe(name), then);
  }

  /** Opens an export, lets its reply be written, and ends the handshake. */
  private void open(int option, String name, Consumer<OpenExport> reply) {
    CompletableFuture<BlockDevice> opening = context.exports().open(name);
    await(
        option,
        opening,
        device -> {
          OpenExport export = new OpenExport(name, device, choice.of(name));
          entered = export;
          reply.accept(export);
          isOver = true;
        });
  }

  private <T> void await(int option, CompletableFuture<T> future, Consumer<T> then) {
    isWaiting = true;
    calls.<T>deliver(
        future,
        (value, failure) -> {
          isWaiting = false;
          if (isGone) {
            if (value instanceof BlockDevice device) {
              device.close();
            }
          } else if (failure != null || value == null) {
            fail(option, failure == null ? new IllegalStateException("no value") : failure);
          } else {
            then.accept(value);
          }
          link.proceed();
        });
  }

  private void fail(int option, Throwable failure) {
    if (!Failures.isExpected(failure)) {
      String text = "option " + option + " of NBD client " + link.client() + " failed";
      context.log().error(text, Failures.cause(failure));
    } else if (option == OPT_GO || option == OPT_EXPORT_NAME) { // many clients show no reason
      context
          .log()
          .warn(
              "refused NBD client %s its export: %s"
                  .formatted(link.client(), Failures.message(failure)));
    }
    if (option == OPT_EXPORT_NAME) {
      isOver = true;
    } else {
      error(option, Failures.ofOption(failure), Failures.message(failure));
    }
  }

  private void requireChunks() {
    if (!style.hasChunks()) {
      throw new InvalidOptionException(
          "metadata contexts need STRUCTURED_REPLY or EXTENDED_HEADERS before");
    }
  }

  private static void requireEmpty(ByteBuf data) {
    if (data.isReadable()) {
      throw new InvalidOptionException("this option has no data");
    }
  }

  private void error(int option, int error, String message) {
    HandshakeReplies.error(link.out(), option, error, message);
  }
}
