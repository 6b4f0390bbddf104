{{/* The app's configuration file: the values, with the paths at which the certificate is mounted. */}}
{{- define "app.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- with .Values.certificates.client -}}
{{- if .secret -}}
{{- $_ := set $config.reports "certificate" (printf "/etc/lifeline/tls/client/%s" .certificate) -}}
{{- $_ := set $config.reports "key" (printf "/etc/lifeline/tls/client/%s" .key) -}}
{{- $_ := set $config.reports "authority" (printf "/etc/lifeline/tls/client/%s" .authority) -}}
{{- end -}}
{{- end -}}
{{ toYaml $config }}
{{- end -}}

{{- define "app.edge" -}}
{{- $config := include "app.config" . | fromYaml -}}
{{ dict "kubeconfig" $config.edge.kubeconfig "stampAnnotation" $config.edge.stampAnnotation "reports" $config.reports "retranslates" true | toYaml }}
{{- end -}}

{{- define "app.pod" -}}
usesToken: {{ not (empty (include "edge.isHere" .)) }}
minReadySeconds: 0
ports:
  - name: metrics
    containerPort: {{ .Values.config.metricsPort }}
  - name: health
    containerPort: {{ .Values.config.healthPort }}
secrets:
  {{- with .Values.certificates.client.secret }}
  - name: tls
    secret: {{ . }}
    path: /etc/lifeline/tls/client
  {{- end }}
{{- end -}}

{{- define "app.traffic" -}}
egress:
  - ports:
      - port: {{ .Values.config.reports.port }}
        protocol: TCP
    {{- with .Values.networkPolicy.reportsTo }}
    to:
      {{- toYaml . | nindent 6 }}
    {{- end }}
{{- end -}}

{{- define "app.alerts" -}}
{{ .Files.Get "files/alerts.yaml" }}
{{- end -}}
