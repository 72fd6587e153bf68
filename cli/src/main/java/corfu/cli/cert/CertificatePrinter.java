package corfu.cli.cert;

import com.fasterxml.jackson.core.JsonGenerator;
import corfu.cli.output.Terminal;
import corfu.pki.CertificateInfo;
import corfu.pki.IssuedCertificate;
import corfu.world.World;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Prints public facts of certificates, and warns of those that end soon. Never prints a key. */
final class CertificatePrinter {

  private static final long WARNING_DAYS = 30;

  /**
   * A certificate of usual length must still fit, and peers need time to get the next authority.
   */
  private static final long WARNING_DAYS_OF_AUTHORITY = 180;

  /** Longer times are told in days, because their users renew them daily at most. */
  private static final Duration SHORT = Duration.ofDays(2);

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ISO_LOCAL_DATE.withZone(ZoneOffset.UTC);

  private final Terminal terminal;
  private final Instant now;

  CertificatePrinter(Terminal terminal, World world) {
    this.terminal = terminal;
    this.now = Instant.ofEpochMilli(world.wallTimeMillis());
  }

  /** Returns the last day of a certificate, for people. */
  static String lastDay(CertificateInfo info) {
    return DAY.format(info.validTo());
  }

  /** Returns the facts of a certificate as lines below a title. */
  String text(String title, CertificateInfo info) {
    StringBuilder text = new StringBuilder(title);
    add(text, "subject", info.subject());
    info.id().ifPresent(id -> add(text, "id", id.toString()));
    if (!info.hosts().isEmpty()) {
      add(text, "hosts", String.join(", ", info.hosts()));
    }
    add(text, "issuer", info.issuer());
    add(text, "serial", info.serial());
    add(text, "fingerprint", info.fingerprint());
    add(text, "valid", DAY.format(info.validFrom()) + " to " + lastDay(info) + ", " + left(info));
    return text.toString();
  }

  /** A stranger's certificate could steer the terminal. */
  private static void add(StringBuilder text, String name, String value) {
    String printable = value.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
    text.append("%n  %-11s  %s".formatted(name, printable));
  }

  private String left(CertificateInfo info) {
    long days = info.daysLeft(now);
    if (info.hasEnded(now)) {
      return "ended";
    }
    Duration left = Duration.between(now, info.validTo());
    return left.compareTo(SHORT) < 0 ? left.toHours() + " hours left" : days + " days left";
  }

  /** Writes the facts of a certificate as members of an object. */
  void write(JsonGenerator json, CertificateInfo info) throws IOException {
    json.writeStringField("subject", info.subject());
    json.writeStringField("issuer", info.issuer());
    if (info.id().isPresent()) {
      json.writeStringField("id", info.id().get().toString());
    }
    json.writeArrayFieldStart("hosts");
    for (String host : info.hosts()) {
      json.writeString(host);
    }
    json.writeEndArray();
    json.writeStringField("serial", info.serial());
    json.writeStringField("fingerprint", info.fingerprint());
    json.writeBooleanField("authority", info.isAuthority());
    json.writeStringField("validFrom", info.validFrom().toString());
    json.writeStringField("validTo", info.validTo().toString());
    json.writeNumberField("daysLeft", info.daysLeft(now));
  }

  /** Writes the facts of an issued certificate as members of an object. */
  void write(JsonGenerator json, IssuedCertificate issued) throws IOException {
    json.writeStringField("name", issued.name());
    json.writeStringField("file", issued.file().toString());
    json.writeBooleanField("hasKey", issued.hasKey());
    json.writeBooleanField("revoked", issued.isRevoked());
    write(json, issued.info());
  }

  /** Notes on standard error that a certificate ends soon, and a remedy. */
  void warn(String name, CertificateInfo info, String remedy) {
    long enough = info.isAuthority() ? WARNING_DAYS_OF_AUTHORITY : WARNING_DAYS;
    if (info.daysLeft(now) < enough) {
      terminal.note(
          "corfu: the certificate of %s %s; %s"
              .formatted(
                  name,
                  info.hasEnded(now)
                      ? "ended on " + lastDay(info)
                      : "ends on %s, with %s".formatted(lastDay(info), left(info)),
                  remedy));
    }
  }
}
