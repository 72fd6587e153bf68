package corfu.protocol.layout;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamId;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Layouts as JSON that a person can read and write. The wire and the disks use the same form.
 *
 * <pre>
 * {
 *   "clusterId" : "5b0c3f6e-...",
 *   "epoch" : 1,
 *   "wanted" : { "units" : 3, "replicas" : 2 },
 *   "sequencers" : [ "10.0.0.1:9000" ],
 *   "layoutServers" : { "10.0.0.1:9000" : "2f60c37a11b4e0d9", ... },
 *   "logUnits" : { "10.0.0.1:9000" : "77a9e1c2045fb8d3", ..., "10.0.0.4:9000" : "" },
 *   "segments" : [ { "start" : 0, "log" : [ [ "10.0.0.1:9000", "10.0.0.2:9000" ], ... ] } ]
 * }
 * </pre>
 *
 * Layout servers and log units have their incarnations as values. A spare's value is empty; the
 * word {@code retiring} follows the value of a server that shall leave. A segment has an {@code
 * "end"} unless it is the last one, and a {@code "target"} while it is being copied. If streams
 * have replicas of their own, {@code "wanted"} has {@code "streamReplicas"}, a segment has the
 * chains of a {@code "stream"}, and its target has those of a {@code "streamTarget"}. A mirror has
 * {@code "mirrorOf" : { "clusterId" : "...", "streams" : [], "completeFrom" : 0 }}. The parser
 * rejects unknown keys: a typing error must not become a default.
 */
public final class LayoutJson {

  private static final JsonFactory JSON = new JsonFactory();
  private static final String RETIRING = " retiring";

  /**
   * The layout that was last read or written, with its text. One layout is sent to many servers in
   * turn; each of them votes for it, learns it and stores it, always with the same text. Layouts
   * change so rarely that the JIT compiler never optimizes this code.
   */
  private static final AtomicReference<@Nullable Known> LAST = new AtomicReference<>();

  private LayoutJson() {}

  private record Known(Layout layout, String text) {}

  /** Returns the JSON over several lines, for people. */
  public static String pretty(Layout layout) {
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentArraysWith(DefaultPrettyPrinter.FixedSpaceIndenter.instance);
    printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
    return write(layout, printer);
  }

  /** Returns the JSON in one line. For a layout that was parsed, this is the parsed text. */
  public static String compact(Layout layout) {
    Known last = LAST.get();
    if (last != null && isSame(last.layout(), layout)) {
      return last.text();
    }
    String text = write(layout, null);
    LAST.set(new Known(layout, text));
    return text;
  }

  /** Compares by identity: comparing the content would take as long as writing it. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Layout one, Layout other) {
    return one == other;
  }

  private static String write(Layout layout, @Nullable DefaultPrettyPrinter printer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      if (printer != null) {
        json.setPrettyPrinter(printer);
      }
      json.writeStartObject();
      json.writeStringField("clusterId", layout.clusterId().toString());
      json.writeNumberField("epoch", layout.epoch().value());
      json.writeObjectFieldStart("wanted");
      json.writeNumberField("units", layout.wanted().units());
      json.writeNumberField("replicas", layout.wanted().replicas());
      if (layout.wanted().streamReplicas() > 0) {
        json.writeNumberField("streamReplicas", layout.wanted().streamReplicas());
      }
      json.writeEndObject();
      writeEndpoints(json, "sequencers", layout.sequencers());
      writeMembers(json, "layoutServers", layout.acceptors());
      writeMembers(json, "logUnits", layout.units());
      json.writeArrayFieldStart("segments");
      for (LayoutSegment segment : layout.segments()) {
        writeSegment(json, segment);
      }
      json.writeEndArray();
      if (layout.origin().isPresent()) {
        writeOrigin(json, layout.origin().get());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void writeOrigin(JsonGenerator json, Origin origin) throws IOException {
    json.writeObjectFieldStart("mirrorOf");
    json.writeStringField("clusterId", origin.source().toString());
    json.writeArrayFieldStart("streams");
    for (StreamId stream : origin.streams()) {
      json.writeString(stream.toString());
    }
    json.writeEndArray();
    json.writeNumberField("completeFrom", origin.completeFrom());
    json.writeEndObject();
  }

  private static void writeSegment(JsonGenerator json, LayoutSegment segment) throws IOException {
    json.writeStartObject();
    json.writeNumberField("start", segment.start());
    if (!segment.isOpen()) {
      json.writeNumberField("end", segment.end());
    }
    writeArrangement(json, "log", "stream", segment.serving());
    if (segment.hasTarget()) {
      writeArrangement(json, "target", "streamTarget", segment.target().get());
    }
    json.writeEndObject();
  }

  private static void writeArrangement(
      JsonGenerator json, String log, String stream, ChainLayout arrangement) throws IOException {
    writeChains(json, log, arrangement.log());
    if (arrangement.hasStreams()) {
      writeChains(json, stream, arrangement.stream());
    }
  }

  private static void writeChains(JsonGenerator json, String name, List<Chain> chains)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Chain chain : chains) {
      json.writeStartArray();
      for (Endpoint replica : chain.replicas()) {
        json.writeString(replica.toString());
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void writeMembers(JsonGenerator json, String name, List<Member> members)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Member member : members) {
      json.writeStringField(
          member.endpoint().toString(), member.incarnation() + (member.retiring() ? RETIRING : ""));
    }
    json.writeEndObject();
  }

  private static void writeEndpoints(JsonGenerator json, String name, List<Endpoint> endpoints)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Endpoint endpoint : endpoints) {
      json.writeString(endpoint.toString());
    }
    json.writeEndArray();
  }

  /**
   * Parses a layout.
   *
   * @throws IllegalArgumentException if the text is no layout; the message says what is wrong and
   *     where
   */
  public static Layout parse(String text) {
    Known last = LAST.get();
    if (last != null && last.text().equals(text)) {
      return last.layout();
    }
    Layout layout = read(text);
    if (text.indexOf('\n') < 0) {
      LAST.set(new Known(layout, text));
    }
    return layout;
  }

  private static Layout read(String text) {
    try (JsonParser json = JSON.createParser(text)) {
      expect(json, json.nextToken(), JsonToken.START_OBJECT);
      Layout layout = readLayout(json);
      if (json.nextToken() != null) {
        throw wrong(json, "something follows the layout");
      }
      return layout;
    } catch (IOException e) {
      throw new IllegalArgumentException("not a layout: " + e.getMessage(), e);
    }
  }

  private static Layout readLayout(JsonParser json) throws IOException {
    ClusterId clusterId = null;
    Epoch epoch = null;
    List<Endpoint> sequencers = null;
    Wanted wanted = null;
    List<Member> layoutServers = null;
    List<Member> logUnits = null;
    List<LayoutSegment> segments = null;
    Optional<Origin> origin = Optional.empty();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "clusterId" -> clusterId = ClusterId.parse(readText(json));
        case "epoch" -> epoch = new Epoch(readNumber(json));
        case "sequencers" -> sequencers = readEndpoints(json);
        case "wanted" -> wanted = readWanted(json);
        case "layoutServers" -> layoutServers = readMembers(json);
        case "logUnits" -> logUnits = readMembers(json);
        case "segments" -> segments = readSegments(json);
        case "mirrorOf" -> origin = Optional.of(readOrigin(json));
        default -> throw wrong(json, "a layout has no '" + key + "'");
      }
    }
    if (clusterId == null
        || epoch == null
        || wanted == null
        || sequencers == null
        || layoutServers == null
        || logUnits == null
        || segments == null) {
      throw wrong(
          json,
          "a layout has all of clusterId, epoch, wanted, sequencers, layoutServers, logUnits,"
              + " segments");
    }
    return new Layout(
        clusterId, epoch, wanted, sequencers, layoutServers, logUnits, segments, origin);
  }

  private static Origin readOrigin(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.START_OBJECT);
    ClusterId source = null;
    List<StreamId> streams = new ArrayList<>();
    long completeFrom = 0;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "clusterId" -> source = ClusterId.parse(readText(json));
        case "streams" -> {
          expect(json, json.currentToken(), JsonToken.START_ARRAY);
          while (json.nextToken() != JsonToken.END_ARRAY) {
            streams.add(StreamId.parse(readText(json)));
          }
        }
        case "completeFrom" -> completeFrom = readNumber(json);
        default -> throw wrong(json, "mirrorOf has no '" + key + "'");
      }
    }
    if (source == null) {
      throw wrong(json, "mirrorOf needs a clusterId");
    }
    return new Origin(source, streams, completeFrom);
  }

  private static Wanted readWanted(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.START_OBJECT);
    int units = 0;
    int replicas = 0;
    int streamReplicas = 0;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "units" -> units = Math.clamp(readNumber(json), 0, Integer.MAX_VALUE);
        case "replicas" -> replicas = Math.clamp(readNumber(json), 0, Integer.MAX_VALUE);
        case "streamReplicas" ->
            streamReplicas = Math.clamp(readNumber(json), 0, Integer.MAX_VALUE);
        default -> throw wrong(json, "wanted has no '" + key + "'");
      }
    }
    return new Wanted(units, replicas, streamReplicas);
  }

  private static List<Member> readMembers(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.START_OBJECT);
    List<Member> members = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      Endpoint endpoint = Endpoint.parse(json.currentName());
      json.nextToken();
      String life = readText(json);
      boolean retiring = life.endsWith(RETIRING);
      String incarnation = retiring ? life.substring(0, life.length() - RETIRING.length()) : life;
      members.add(new Member(endpoint, Incarnation.parse(incarnation), retiring));
    }
    return members;
  }

  private static List<LayoutSegment> readSegments(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.START_ARRAY);
    List<LayoutSegment> segments = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json, json.currentToken(), JsonToken.START_OBJECT);
      segments.add(readSegment(json));
    }
    return segments;
  }

  private static LayoutSegment readSegment(JsonParser json) throws IOException {
    long start = 0;
    long end = LayoutSegment.OPEN;
    List<Chain> log = List.of();
    List<Chain> stream = List.of();
    List<Chain> target = List.of();
    List<Chain> streamTarget = List.of();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "start" -> start = readNumber(json);
        case "end" -> end = readNumber(json);
        case "log" -> log = readChains(json);
        case "stream" -> stream = readChains(json);
        case "target" -> target = readChains(json);
        case "streamTarget" -> streamTarget = readChains(json);
        default -> throw wrong(json, "a segment has no '" + key + "'");
      }
    }
    ChainLayout serving = new ChainLayout(log, stream);
    return target.isEmpty() && streamTarget.isEmpty()
        ? new LayoutSegment(start, end, serving)
        : new LayoutSegment(
            start, end, serving, Optional.of(new ChainLayout(target, streamTarget)));
  }

  private static List<Chain> readChains(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.START_ARRAY);
    List<Chain> chains = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      chains.add(new Chain(readEndpoints(json)));
    }
    return chains;
  }

  private static List<Endpoint> readEndpoints(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.START_ARRAY);
    List<Endpoint> endpoints = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      endpoints.add(Endpoint.parse(readText(json)));
    }
    return endpoints;
  }

  private static String readText(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.VALUE_STRING);
    return json.getText();
  }

  private static long readNumber(JsonParser json) throws IOException {
    expect(json, json.currentToken(), JsonToken.VALUE_NUMBER_INT);
    return json.getLongValue();
  }

  private static void expect(JsonParser json, @Nullable JsonToken actual, JsonToken expected) {
    if (actual != expected) {
      throw wrong(json, "expected " + expected + ", found " + actual);
    }
  }

  private static IllegalArgumentException wrong(JsonParser json, String what) {
    return new IllegalArgumentException(
        "not a layout: "
            + what
            + ", at line "
            + json.currentLocation().getLineNr()
            + ", column "
            + json.currentLocation().getColumnNr());
  }
}
