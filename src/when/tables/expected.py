"""What the phrases of en.csv and de.csv mean, by a calendar that shares nothing with ours.

Days and weeks are Python's datetime, zones its zoneinfo. Run it in this folder to write both tables anew.
"""
import csv, datetime as D, zoneinfo, itertools, sys
Z=['UTC','Europe/Oslo','America/New_York','Asia/Kathmandu','Australia/Lord_Howe']
dt=D.datetime; td=D.timedelta
NOWS={'fri':dt(2026,11,20,12,27),'mar':dt(2026,3,27,10,0),'us':dt(2026,3,6,15,30),'oct':dt(2026,10,23,8,5),'nov':dt(2026,10,30,18,45),'lh':dt(2026,4,3,9,0)}
def inst(wall,zone):
    z=zoneinfo.ZoneInfo(zone)
    for fold in (0,):
        a=wall.replace(tzinfo=z,fold=0); u=a.astimezone(D.timezone.utc)
        if u.astimezone(z).replace(tzinfo=None)==wall: return u.replace(tzinfo=None)
    # gap: first instant after
    off=wall.replace(tzinfo=z,fold=0).utcoffset(); lo=(wall-off).replace(tzinfo=None)-td(hours=3); 
    t=lo
    while True:
        l=t.replace(tzinfo=D.timezone.utc).astimezone(z).replace(tzinfo=None)
        if l>=wall: return t
        t+=td(minutes=1)
def iso(u): return u.strftime('%Y-%m-%dT%H:%MZ')
rows={'en':[], 'de':[]}
def add(lang,phrase,nowk,walls,elapsed=None):
    if isinstance(walls,dt): walls=[walls]
    now=NOWS[nowk]; cols=[]
    for z in Z:
        if elapsed is not None:
            u=inst(now,z); cols.append(' '.join(iso(u+e) for e in elapsed))
        else: cols.append(' '.join(iso(inst(w,z)) for w in walls))
    rows[lang].append([phrase,now.strftime('%Y-%m-%d %H:%M')]+cols)
def at(day,h,m=0): return dt(day.year,day.month,day.day)+td(hours=h,minutes=m)
def wd(now,d,strict=False): # next weekday (0=Mon), today counts unless strict
    o=(d-now.weekday())%7
    if strict and o==0:o=7
    return now+td(days=o)
def nextm(now,dd,mm,): 
    y=now.year
    c=dt(y,mm,dd)
    return c if c.date()>=now.date() else dt(y+1,mm,dd)
EN_T=[('at 9am',9,0),('at 18:00',18,0),('at 6pm',18,0),('at 14:15',14,15),('at noon',12,0),('at 9:30pm',21,30),('at half past ten',10,30),('at quarter to nine',8,45),('at ten to eleven',10,50),('at 8 in the evening',20,0),('at 2:30am',2,30),("at 11 o'clock",11,0),('at 7 in the morning',7,0),('at twenty past nine',9,20),('at 15.45',15,45),('at 1:30am',1,30)]
DAYS=['monday','tuesday','wednesday','thursday','friday','saturday','sunday']
def en_days(now):
    t=now
    L=[('tomorrow',t+td(1)),('the day after tomorrow',t+td(2)),('in 3 days',t+td(3)),('in two weeks',t+td(14)),('in a fortnight',t+td(14)),
       ('on 24 December',nextm(t,24,12)),('on December 31st',nextm(t,31,12)),('on christmas eve',nextm(t,24,12)),('on 1 May 2027',dt(2027,5,1)),('on 01.02.2027',dt(2027,2,1)),('2027-03-28',dt(2027,3,28)),('on March 14, 2027',dt(2027,3,14)),
       ('a week from tomorrow',t+td(8)),('two days after christmas',nextm(t,25,12)+td(2)),('the day before new year',(nextm(t,1,1))-td(1)),
       ('on the third thursday in january 2027',dt(2027,1,21)),('on the last sunday of march 2027',dt(2027,3,28)),('on the first monday of february 2027',dt(2027,2,1)),]
    for i,n in enumerate(DAYS):
        if i!=t.weekday(): L.append(('on '+n,wd(t,i)))
        mon=t-td(days=t.weekday())
        L.append((n+' next week',mon+td(days=7+i)))
    # ambiguous free: next <day> which is over the week's end
    for i,n in enumerate(DAYS):
        if i<=t.weekday(): L.append(('next '+n,wd(t,i,True)))
    return L
k=0
for nowk in NOWS:
    now=NOWS[nowk]; k+=5
    for j,(dp,day) in enumerate(en_days(now)):
        for s in range(3):
            tp,h,m=EN_T[(k)%len(EN_T)]; k+=3
            ph=f'{dp} {tp}' if k%4 else f'{tp} {dp}'
            # 'next week' phrase with the time inside stays readable
            add('en',ph,nowk,at(day,h,m))
EL=[('in 20 minutes',20),('in an hour and a half',90),('in half an hour',30),('in a quarter of an hour',15),('in two and a half hours',150),('in 1h30m',90),('in 90 minutes',90),('2 hours from now',120),('in twenty-five minutes',25),('in a couple of hours',120),('in an hour and a quarter',75),('in 2 hours and 10 minutes',130),('in three quarters of an hour',45),('in 36 hours',36*60),('after 45 minutes',45),('in 1.5 hours',90),('in a few minutes',3),('in an hour',60),('in 3 hrs',180),('in 12 hours',720),('in 2 1/2 hours',150),('in 1½ hours',90),('in 1/2 hour',30),('in 3/4 hour',45)]
for nowk in NOWS:
    for p,m in EL: add('en',p,nowk,None,[td(minutes=m)])
    add('en','on the last day of the year at 8pm',nowk,at(dt(NOWS[nowk].year,12,31),20))
    for i,n in enumerate(DAYS):
        if i!=NOWS[nowk].weekday(): add('en',n+' week at 10am',nowk,at(wd(NOWS[nowk],i)+td(7),10)); add('en','a week on '+n+' at noon',nowk,at(wd(NOWS[nowk],i)+td(7),12))
def nextclock(now,h,m):
    c=at(now,h,m); return c if c>now else c+td(1)
for nowk in NOWS:
    n=NOWS[nowk]
    for p,h,m in [('at 17:00',17,0),('at 5pm',17,0),('at noon',12,0),('at quarter past seven pm',19,15),('at 10:30am',10,30),('at ten past eight pm',20,10),('at 07:05',7,5),('at 23:59',23,59),('twenty to four pm',15,40),('at 12am',0,0)]:
        add('en',p,nowk,nextclock(n,h,m))
    add('en','tonight at midnight',nowk,at(n,24)); add('en','at midnight',nowk,at(n,24)); add('en','2 hours before midnight',nowk,at(n,22)); add('en','an hour before noon tomorrow',nowk,at(n+td(1),11)); add('en','half an hour after noon tomorrow',nowk,at(n+td(1),12,30)); add('en','15 minutes before 9pm tonight',nowk,at(n,20,45)); add('en','tonight at 8',nowk,at(n,20)); add('en','this evening at 9',nowk,at(n,21)); add('en','tonight at 11:30',nowk,at(n,23,30)); add('en','tonight at 1',nowk,at(n+td(1),1)); add('en','tomorrow evening at 7',nowk,at(n+td(1),19)); add('en','tomorrow morning at 6',nowk,at(n+td(1),6)); add('en','saturday evening at 8' if n.weekday()!=5 else 'tomorrow evening at 8',nowk,at(wd(n,5),20)); add('en','tomorrow afternoon at 3',nowk,at(n+td(1),15))
# recurring
def daily(now,times,pred,cnt=3):
    out=[];d=dt(now.year,now.month,now.day)
    while len(out)<cnt:
        if pred(d):
            for h,m in sorted(times):
                c=d+td(hours=h,minutes=m)
                if c>now and len(out)<cnt: out.append(c)
        d+=td(1)
    return out
def nthwd(d,w,n):
    if d.weekday()!=w: return False
    if n==-1: return (d+td(7)).month!=d.month
    return (d.day-1)//7+1==n
def lastday(d): return (d+td(1)).month!=d.month
def lastwork(d):
    e=d+td(1)
    while e.weekday()>4: e+=td(1)
    return d.weekday()<5 and e.month!=d.month
def firstwork(d):
    e=d-td(1)
    while e.weekday()>4: e-=td(1)
    return d.weekday()<5 and e.month!=d.month
def stridedays(now,h,m,n):
    f=nextclock(now,h,m); return [f+td(days=n*i) for i in range(3)]
def strideweek(now,w,h,m,n):
    f=at(wd(now,w),h,m)
    if f<=now: f+=td(7)
    return [f+td(days=7*n*i) for i in range(3)]
def REC(now):
    W=lambda d:d.weekday()<5
    D_=lambda *x:(lambda d:d.weekday() in x)
    return [
    ('every day at 9',daily(now,[(9,0)],lambda d:1)),('daily at 7:30',daily(now,[(7,30)],lambda d:1)),('every weekday at 8',daily(now,[(8,0)],W)),('on weekdays at 6:45am',daily(now,[(6,45)],W)),
    ('every working day at 17:00',daily(now,[(17,0)],W)),('every weekend at 10',daily(now,[(10,0)],D_(5,6))),('on weekends at noon',daily(now,[(12,0)],D_(5,6))),
    ('every monday and thursday at 8:15',daily(now,[(8,15)],D_(0,3))),('tue/thu at 7',daily(now,[(7,0)],D_(1,3))),('mon, wed and fri at 18:00',daily(now,[(18,0)],D_(0,2,4))),('tuesdays and fridays at 9pm',daily(now,[(21,0)],D_(1,4))),('monday to friday at 7am',daily(now,[(7,0)],W)),('friday to monday at 11pm',daily(now,[(23,0)],D_(4,5,6,0))),
    ('every day except sunday at 8',daily(now,[(8,0)],lambda d:d.weekday()!=6)),('at 8 every sunday',daily(now,[(8,0)],D_(6))),('every tuesday evening at 8',daily(now,[(20,0)],D_(1))),('every evening at 7:30',daily(now,[(19,30)],lambda d:1)),('every morning at 9',daily(now,[(9,0)],lambda d:1)),('every night at 11',daily(now,[(23,0)],lambda d:1)),('once a day at 10',daily(now,[(10,0)],lambda d:1)),
    ('every day at 9, 13 and 17:30',daily(now,[(9,0),(13,0),(17,30)],lambda d:1)),('every day at 9am and 5pm',daily(now,[(9,0),(17,0)],lambda d:1)),('every day at midnight',daily(now,[(0,0)],lambda d:1)),('every day at 2:30am',daily(now,[(2,30)],lambda d:1)),
    ('second tuesday of every month at 18:30',daily(now,[(18,30)],lambda d:nthwd(d,1,2))),('last friday of the month at 16:00',daily(now,[(16,0)],lambda d:nthwd(d,4,-1))),('on the first monday of each month at 9',daily(now,[(9,0)],lambda d:nthwd(d,0,1))),('the first and third wednesday of every month at 19:00',daily(now,[(19,0)],lambda d:nthwd(d,2,1) or nthwd(d,2,3))),
    ('last working day of each month at 15:00',daily(now,[(15,0)],lastwork)),('first weekday of the month at 9',daily(now,[(9,0)],firstwork)),('last day of the month at 17:00',daily(now,[(17,0)],lastday)),('at the end of every month at 17:00',daily(now,[(17,0)],lastday)),('on the 1st and 15th of every month at 9',daily(now,[(9,0)],lambda d:d.day in(1,15))),('every month on the 3rd at 10:00',daily(now,[(10,0)],lambda d:d.day==3)),('monthly on the 28th at 8pm',daily(now,[(20,0)],lambda d:d.day==28)),('on the 31st of each month at noon',daily(now,[(12,0)],lambda d:d.day==31)),
    ('every year on 24 december at 18:00',daily(now,[(18,0)],lambda d:(d.month,d.day)==(12,24))),('every march 14th at 9',daily(now,[(9,0)],lambda d:(d.month,d.day)==(3,14))),
    ('every 2nd day at 9',stridedays(now,9,0,2)),('every other day at 21:00',stridedays(now,21,0,2)),('every 3 days at 8am',stridedays(now,8,0,3)),('every other sunday evening',strideweek(now,6,19,0,2)),('every other friday at 3pm',strideweek(now,4,15,0,2)),('every second tuesday at 18:30',strideweek(now,1,18,30,2)),('every 2 weeks on wednesday at 9',strideweek(now,2,9,0,2)),('every week on monday at 8',strideweek(now,0,8,0,1)),
    ]
def window(now,start,end,step,pred,cnt=3):
    out=[];d=dt(now.year,now.month,now.day)-td(1)
    while len(out)<cnt:
        if pred(d):
            t=d+td(minutes=start)
            e=d+td(minutes=end)
            while t<=e:
                if t>now and len(out)<cnt: out.append(t)
                t+=td(minutes=step)
        d+=td(1)
    return sorted(out)[:cnt]
def WIN(now):
    A=lambda d:1; W=lambda d:d.weekday()<5
    return [('every 90 minutes between 9 and 5',window(now,540,1020,90,A)),('every 2 hours from 8am to 6pm',window(now,480,1080,120,A)),('every hour between 22:00 and 23:00',window(now,1320,1380,60,A)),('every 15 minutes between 9am and 5pm on weekdays',window(now,540,1020,15,W)),('every 30 minutes between 14:00 and 16:30',window(now,840,990,30,A)),('every 45 minutes from 10:00 to 12:00 on weekdays',window(now,600,720,45,W)),('every hour from 9 to 5 on weekdays',window(now,540,1020,60,W)),('every half hour between 2 and 4pm',window(now,840,960,30,A)),('every 40 minutes between 21:00 and 23:00',window(now,1260,1380,40,A))]
for nowk in NOWS:
    n=NOWS[nowk]
    for p,w in REC(n)+WIN(n): add('en',p,nowk,w)
    for p,m in [('every 2 hours',120),('every 90 minutes',90),('every half hour',30),('every hour and a half',90),('every 20 minutes',20),('every 45 mins',45),('every other hour',120)]:
        add('en',p,nowk,None,[td(minutes=m*i) for i in (1,2,3)])
# with an end, which is included; times that differ by day; how often a day
def upto(walls,last): return [w for w in walls if w.date()<=last.date()]
def ENDING(now):
    A=lambda d:1; D_=lambda *x:(lambda d:d.weekday() in x)
    last=lambda d:upto(daily(now,[(21,0)],A,400),d)
    month_end=(dt(now.year,now.month,28)+td(4)).replace(day=1)-td(1)
    return [(f'every day at 21:00 until {DAYS[(now.weekday()+3)%7]}',last(now+td(3))),(f'every day at 21:00 until {DAYS[now.weekday()]}',last(now+td(7))),
    (f'every day until {DAYS[(now.weekday()+2)%7]} at 21:00',last(now+td(2))),('every day at 9pm until tomorrow',last(now+td(1))),('daily at 9pm till 24 december',last(nextm(now,24,12))[:6]),
    ('every weekday at 6:45pm through the end of the month',upto(daily(now,[(18,45)],D_(0,1,2,3,4),40),month_end)),
    ('every tuesday at 18:30 until 1 may 2027',upto(daily(now,[(18,30)],D_(1),99),dt(2027,5,1))[:6]),
    ('every other friday at 3pm until 1 may 2027',upto(strideweek(now,4,15,0,2),dt(2027,5,1))),
    ('mondays at 8am and fridays at 10am',sorted(daily(now,[(8,0)],D_(0),4)+daily(now,[(10,0)],D_(4),4))[:5]),
    ('at 8 on mondays and at 10 on fridays',sorted(daily(now,[(8,0)],D_(0),4)+daily(now,[(10,0)],D_(4),4))[:5]),
    ('every monday at 8 and every friday at 10',sorted(daily(now,[(8,0)],D_(0),4)+daily(now,[(10,0)],D_(4),4))[:5]),
    ('weekdays at 7:15 and weekends at 9:30',sorted(daily(now,[(7,15)],D_(0,1,2,3,4),9)+daily(now,[(9,30)],D_(5,6),4))[:6]),
    ('mondays and tuesdays at 7, fridays at noon',sorted(daily(now,[(7,0)],D_(0,1),9)+daily(now,[(12,0)],D_(4),4))[:6]),
    ('twice a day at 8 and 20:00',daily(now,[(8,0),(20,0)],A,4)),('3 times a day at 8, 12 and 18:00',daily(now,[(8,0),(12,0),(18,0)],A,4)),('twice daily at 8am and 8pm',daily(now,[(8,0),(20,0)],A,4)),('twice a week on tuesday and friday at 17:00',daily(now,[(17,0)],D_(1,4),4)),
    ('every tuesday in december this year at 9',upto(daily(now,[(9,0)],lambda d:d.weekday()==1 and d.month==12,9),dt(now.year,12,31))),
    ('every tuesday in december every year at 9',daily(now,[(9,0)],lambda d:d.weekday()==1 and d.month==12,7)),
    (f'every day in december {now.year} at 18:00',upto(daily(now,[(18,0)],lambda d:d.month==12,31),dt(now.year,12,31))[:5]),]
for nowk in NOWS:
    for p,w in ENDING(NOWS[nowk]):
        if w: add('en',p,nowk,w)
n=NOWS['fri']; 
add('en','every hour between 22 and 2','fri',[dt(2026,11,20,22),dt(2026,11,20,23),dt(2026,11,21,0)])
add('en','every 2 hours between 10pm and 4am','fri',[dt(2026,11,20,22),dt(2026,11,21,0),dt(2026,11,21,2)])
add('en','every hour between 23:00 and 1:00 on fridays','fri',[dt(2026,11,20,23),dt(2026,11,21,0),dt(2026,11,21,1)])
add('en','on the 25th at 10:00','fri',dt(2026,11,25,10)); add('en','on the 15th at 8am','fri',dt(2026,12,15,8)); add('en','on the 3rd of next month at 9am','fri',dt(2026,12,3,9)); add('en','in 2 business days at 9am','fri',dt(2026,11,24,9)); add('en','this sunday at 2pm','fri',dt(2026,11,22,14)); add('en','monday in a week at 9am','fri',dt(2026,11,30,9)); add('en','on the last friday of this month at 4pm','fri',dt(2026,11,27,16)); add('en','on the first monday of next month at 9am','fri',dt(2026,12,7,9)); add('en','tuesday 1 december at 9am','fri',dt(2026,12,1,9)); add('en','three days before christmas at noon','fri',dt(2026,12,22,12)); add('en','friday at 18:00','fri',dt(2026,11,20,18)); add('en','friday at 10am','fri',dt(2026,11,27,10)); add('en','in a month at 9am','fri',dt(2026,12,20,9)); add('en','in a year at 9am','fri',dt(2027,11,20,9)); add('en','the coming friday at 9am','fri',dt(2026,11,27,9))
add('en','quarterly on the 5th at 9','fri',[dt(2027,1,5,9),dt(2027,4,5,9),dt(2027,7,5,9)])
# ---- German
DT=[('um 9 Uhr',9,0),('um 18:00 Uhr',18,0),('um 14.15 Uhr',14,15),('mittags um 12 Uhr',12,0) ,('um 21:30',21,30),('um halb elf',10,30),('um Viertel vor neun',8,45),('um zehn vor elf',10,50),('um 8 Uhr abends',20,0),('um 02:30 Uhr',2,30),('um 11 Uhr',11,0),('um 7 Uhr morgens',7,0),('um zwanzig nach neun',9,20),('um fünf vor halb zehn',9,25),('um Viertel nach sieben',7,15),('um 8 Uhr 30',8,30),('um dreiviertel acht',7,45)]
DT=[x for x in DT if x[0]!='mittags um 12 Uhr']
GD=['Montag','Dienstag','Mittwoch','Donnerstag','Freitag','Samstag','Sonntag']
def de_days(t):
    L=[('morgen',t+td(1)),('übermorgen',t+td(2)),('in 3 Tagen',t+td(3)),('in zwei Wochen',t+td(14)),('in vierzehn Tagen',t+td(14)),('am 24. Dezember',nextm(t,24,12)),('an Heiligabend',nextm(t,24,12)),('am 1. Mai 2027',dt(2027,5,1)),('am 01.02.2027',dt(2027,2,1)),('am 28.3.2027',dt(2027,3,28)),('morgen in einer Woche',t+td(8)),('am dritten Donnerstag im Januar 2027',dt(2027,1,21)),('am letzten Sonntag im März 2027',dt(2027,3,28))]
    for i,n_ in enumerate(GD):
        if i!=t.weekday(): L.append(('am '+n_,wd(t,i))); 
        if i<=t.weekday(): L.append(('nächsten '+n_,wd(t,i,True)))
        L.append((n_+' nächste Woche',t-td(days=t.weekday())+td(days=7+i)))
    return L
k=0
for nowk in NOWS:
    n=NOWS[nowk]
    for dp,day in de_days(n):
        for s in range(2):
            tp,h,m=DT[k%len(DT)];k+=3
            add('de',f'{dp} {tp}',nowk,at(day,h,m))
    for p,m in [('in 20 Minuten',20),('in anderthalb Stunden',90),('in einer halben Stunde',30),('in einer Viertelstunde',15),('in zweieinhalb Stunden',150),('in einer Stunde',60),('in 2 Stunden und 10 Minuten',130),('in einer Dreiviertelstunde',45),('in 36 Stunden',2160),('in siebzig Minuten',70),('in einundsiebzig Minuten',71)]:
        add('de',p,nowk,None,[td(minutes=m)])
    for p,h,m in [('um 17 Uhr',17,0),('um 23:59 Uhr',23,59),('um 20 Uhr 15',20,15),('mittags',12,0)]: add('de',p,nowk,nextclock(n,h,m))
    add('de','heute Abend um 8',nowk,at(n,20)); add('de','heute Nacht um 1',nowk,at(n+td(1),1)); add('de','morgen früh um 7',nowk,at(n+td(1),7)); add('de','morgen Nachmittag um 3',nowk,at(n+td(1),15)); add('de','am letzten Tag des Jahres um 20 Uhr',nowk,dt(n.year,12,31,20)); add('de','um Mitternacht',nowk,at(n,24)); add('de','zwei Stunden vor Mitternacht',nowk,at(n,22)); add('de','eine Stunde vor Mittag morgen' ,nowk,at(n+td(1),11))
    W=lambda d:d.weekday()<5
    D_=lambda *x:(lambda d:d.weekday() in x); A=lambda d:1
    for p,w in [('jeden Tag um 9',daily(n,[(9,0)],A)),('täglich um 7:30',daily(n,[(7,30)],A)),('werktags um 8 Uhr',daily(n,[(8,0)],W)),('jeden Werktag um 17 Uhr',daily(n,[(17,0)],W)),('jedes Wochenende um 10',daily(n,[(10,0)],D_(5,6))),('jeden Montag und Donnerstag um 8:15',daily(n,[(8,15)],D_(0,3))),('montags um 19 Uhr',daily(n,[(19,0)],D_(0))),('dienstags und freitags um 21 Uhr',daily(n,[(21,0)],D_(1,4))),('di/do um 7',daily(n,[(7,0)],D_(1,3))),('von Montag bis Freitag um 7 Uhr',daily(n,[(7,0)],W)),('jeden Abend um 8',daily(n,[(20,0)],A)),('jeden Morgen um 9',daily(n,[(9,0)],A)),('jeden Dienstagabend um 8',daily(n,[(20,0)],D_(1))),('jeden Tag außer Sonntag um 8',daily(n,[(8,0)],lambda d:d.weekday()!=6)),('am letzten Freitag im Monat um 16 Uhr',daily(n,[(16,0)],lambda d:nthwd(d,4,-1))),('jeden ersten Montag im Monat um 9 Uhr',daily(n,[(9,0)],lambda d:nthwd(d,0,1))),('am zweiten Dienstag jedes Monats um 18:30',daily(n,[(18,30)],lambda d:nthwd(d,1,2))),('am letzten Arbeitstag des Monats um 15 Uhr',daily(n,[(15,0)],lastwork)),('am 1. und 15. jedes Monats um 9 Uhr',daily(n,[(9,0)],lambda d:d.day in (1,15))),('am letzten Tag des Monats um 17 Uhr',daily(n,[(17,0)],lastday)),('jedes Jahr am 24. Dezember um 18 Uhr',daily(n,[(18,0)],lambda d:(d.month,d.day)==(12,24))),('jeden zweiten Tag um 9',stridedays(n,9,0,2)),('alle 3 Tage um 8 Uhr',stridedays(n,8,0,3)),('jeden zweiten Dienstag um 18:30',strideweek(n,1,18,30,2)),('alle zwei Wochen am Mittwoch um 9 Uhr',strideweek(n,2,9,0,2)),('alle vierzehn Tage montags um 19 Uhr',strideweek(n,0,19,0,2)),('alle 90 Minuten zwischen 9 und 17 Uhr',window(n,540,1020,90,A)),('jede Stunde von 9 bis 17 Uhr werktags',window(n,540,1020,60,W))]:
        add('de',p,nowk,w)
    last=lambda d:upto(daily(n,[(21,0)],A,400),d)
    for p,w in [(f'jeden Tag um 21 Uhr bis {GD[(n.weekday()+3)%7]}',last(n+td(3))),('jeden Tag bis morgen um 21 Uhr',last(n+td(1))),('täglich um 21 Uhr bis zum 24. Dezember',last(nextm(n,24,12))[:6]),
    ('montags um 8 Uhr und freitags um 10 Uhr',sorted(daily(n,[(8,0)],D_(0),4)+daily(n,[(10,0)],D_(4),4))[:5]),('jeden Montag um 8 und jeden Freitag um 10',sorted(daily(n,[(8,0)],D_(0),4)+daily(n,[(10,0)],D_(4),4))[:5]),
    ('zweimal am Tag um 8 und um 20 Uhr',daily(n,[(8,0),(20,0)],A,4)),('dreimal täglich um 8, 12 und 18 Uhr',daily(n,[(8,0),(12,0),(18,0)],A,4)),('2 mal am Tag um 8 und 20 Uhr',daily(n,[(8,0),(20,0)],A,4)),
    ('jeden Dienstag im Dezember dieses Jahr um 9',upto(daily(n,[(9,0)],lambda d:d.weekday()==1 and d.month==12,9),dt(n.year,12,31))),('jeden Dienstag im Dezember jedes Jahr um 9',daily(n,[(9,0)],lambda d:d.weekday()==1 and d.month==12,7)),]:
        add('de',p,nowk,w)
    for p,m in [('alle 2 Stunden',120),('jede halbe Stunde',30),('alle anderthalb Stunden',90),('alle 20 Minuten',20)]: add('de',p,nowk,None,[td(minutes=m*i) for i in (1,2,3)])
import os
for l in rows:
    seen=set(); out=[]
    for r in rows[l]:
        if (r[0],r[1]) in seen: continue
        seen.add((r[0],r[1])); out.append(r)
    with open(os.path.join(os.path.dirname(__file__), f'{l}.csv'), 'w') as f:
        f.write(';'.join(['said','now']+Z)+'\n')
        for r in out: f.write(';'.join(r)+'\n')
    print(l,len(out),len({r[0] for r in out}))
